use crate::ObserveError;
use carom_math::Periods;
use glam::DVec2;
use std::io::{self, Write};

/// Names that mean something already, here or in programs that read the format.
const STANDARD: [&str; 8] = ["species", "pos", "radius", "velo", "mass", "id", "Z", "Time"];

/// The discs at one moment, as a frame of a file in the extended XYZ format.
///
/// Columns that are not there are not written. All slices are as long as `positions`.
#[derive(Clone, Copy, Debug)]
pub struct XyzFrame<'a> {
    /// The lower left corner of the rectangle: 0 on a periodic axis.
    pub origin: DVec2,
    /// The sides of the rectangle: the period, or what is to be shown of an open axis. ≥ 0.
    pub sides: DVec2,
    /// Which axes are periodic.
    pub periods: Periods,
    /// Seconds.
    pub time: f64,
    /// Centres.
    pub positions: &'a [DVec2],
    /// Velocities.
    pub velocities: Option<&'a [DVec2]>,
    /// Radii, ≥ 0.
    pub radii: Option<&'a [f64]>,
    /// Masses, ≥ 0 and finite.
    pub masses: Option<&'a [f64]>,
    /// Numbers that a disc keeps when others are removed; up to 2⁶³ − 1.
    pub ids: Option<&'a [u64]>,
    /// Anything else: a name of letters, digits and underscores, and a finite number for each disc.
    pub columns: &'a [(&'a str, &'a [f64])],
}

impl<'a> XyzFrame<'a> {
    /// Of discs at these centres in a rectangle from the origin on, at time 0.
    #[must_use]
    pub fn new(positions: &'a [DVec2], sides: DVec2, periods: Periods) -> Self {
        Self {
            origin: DVec2::ZERO,
            sides,
            periods,
            time: 0.0,
            positions,
            velocities: None,
            radii: None,
            masses: None,
            ids: None,
            columns: &[],
        }
    }
}

/// Writes frames in the extended XYZ format, one after another: what OVITO and ASE read.
///
/// Two lines, the number of discs and what is known of the frame, then a line a disc. Vectors have a third
/// component, 0, and the cell a third side, 1, around the plane: ASE knows no others. The species is `X`, no
/// element. Numbers have as many digits as it takes to read the same bits back. Lines are written one by one:
/// hand over something that buffers. About 0.8 µs a disc, without allocation.
///
/// In OVITO the columns become Position, Velocity, Radius, Mass and Particle Identifier; others keep their
/// names, and `Time` is an attribute of the frame. Checked with OVITO 3.17, which reads some numbers to an
/// ulp and keeps radii in single precision, and with ASE 3.29.
///
/// ```
/// use carom_math::{DVec2, Periods};
/// use carom_observe::{XyzFrame, XyzWriter};
///
/// let places = [DVec2::new(1.0, 1.0), DVec2::new(3.0, 0.1)];
/// let tube = Periods::new(Some(4.0), None).unwrap();
/// let frame = XyzFrame {
///     time: 0.5,
///     radii: Some(&[0.5, 0.1]),
///     columns: &[("psi6", &[1.0, 0.0])],
///     ..XyzFrame::new(&places, DVec2::new(4.0, 2.0), tube)
/// };
/// let mut writer = XyzWriter::new(Vec::new());
/// writer.write(&frame)?;
/// let text = String::from_utf8(writer.into_inner()).unwrap();
/// assert_eq!(
///     text,
///     "2\n\
///      Lattice=\"4.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 1.0\" Origin=\"0.0 0.0 -0.5\" pbc=\"T F F\" Time=0.5 \
///      Properties=species:S:1:pos:R:3:radius:R:1:psi6:R:1\n\
///      X 1.0 1.0 0.0 0.5 1.0\n\
///      X 3.0 0.1 0.0 0.1 0.0\n"
/// );
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct XyzWriter<W> {
    to: W,
    planar: bool,
}

impl<W: Write> XyzWriter<W> {
    /// Writes to `to`.
    pub fn new(to: W) -> Self {
        Self { to, planar: false }
    }

    /// Leaves the third component of vectors out. OVITO then knows that the world is flat, which its analyses
    /// need to count neighbours and densities by area; ASE cannot read it.
    #[must_use]
    pub fn planar(mut self) -> Self {
        self.planar = true;
        self
    }

    /// Writes a frame. O(N).
    ///
    /// # Errors
    /// If a slice is not as long as `positions`, if a number is not finite or out of range, or if a name
    /// cannot be one: then nothing is written. If the writer fails.
    pub fn write(&mut self, frame: &XyzFrame<'_>) -> Result<(), ObserveError> {
        check(frame)?;
        let to = &mut self.to;
        let DVec2 { x, y } = frame.sides;
        let periodic = |period: Option<f64>| if period.is_some() { 'T' } else { 'F' };
        writeln!(to, "{}", frame.positions.len())?;
        write!(to, "Lattice=\"{x:?} 0.0 0.0 0.0 {y:?} 0.0 0.0 0.0 1.0\" ")?;
        write!(to, "Origin=\"{:?} {:?} -0.5\" ", frame.origin.x, frame.origin.y)?;
        write!(to, "pbc=\"{} {} F\" ", periodic(frame.periods.x()), periodic(frame.periods.y()))?;
        let components = if self.planar { 2 } else { 3 };
        write!(to, "Time={:?} Properties=species:S:1:pos:R:{components}", frame.time)?;
        if frame.velocities.is_some() {
            write!(to, ":velo:R:{components}")?;
        }
        for (there, name) in [
            (frame.radii.is_some(), ":radius:R:1"),
            (frame.masses.is_some(), ":mass:R:1"),
            (frame.ids.is_some(), ":id:I:1"),
        ] {
            to.write_all(if there { name.as_bytes() } else { b"" })?;
        }
        for (name, _) in frame.columns {
            write!(to, ":{name}:R:1")?;
        }
        writeln!(to)?;

        let third = if self.planar { "" } else { " 0.0" };
        let vector = |to: &mut W, v: DVec2| write!(to, " {:?} {:?}{third}", v.x, v.y);
        for (disc, position) in frame.positions.iter().enumerate() {
            write!(to, "X")?;
            vector(to, *position)?;
            if let Some(velocities) = frame.velocities {
                vector(to, velocities[disc])?;
            }
            for numbers in [frame.radii, frame.masses].into_iter().flatten() {
                write!(to, " {:?}", numbers[disc])?;
            }
            if let Some(ids) = frame.ids {
                write!(to, " {}", ids[disc])?;
            }
            for (_, numbers) in frame.columns {
                write!(to, " {:?}", numbers[disc])?;
            }
            writeln!(to)?;
        }
        Ok(())
    }

    /// Passes on what the writer holds back.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.to
    }
}

fn check(frame: &XyzFrame<'_>) -> Result<(), ObserveError> {
    let finite = |field, value: f64| ObserveError::check(field, value, f64::MIN, f64::MAX);
    for (field, side, period) in
        [("sides.x", frame.sides.x, frame.periods.x()), ("sides.y", frame.sides.y, frame.periods.y())]
    {
        let (least, most) = period.map_or((0.0, f64::MAX), |period| (period, period));
        ObserveError::check(field, side, least, most)?;
    }
    finite("origin.x", frame.origin.x)?;
    finite("origin.y", frame.origin.y)?;
    finite("time", frame.time)?;

    let n = frame.positions.len();
    let vectors = [("positions", Some(frame.positions)), ("velocities", frame.velocities)];
    for (field, vectors) in vectors.into_iter().filter_map(|(field, vectors)| Some((field, vectors?))) {
        ObserveError::same_length(field, vectors.len(), n)?;
        if let Some(index) = vectors.iter().position(|v| !v.is_finite()) {
            let value = if vectors[index].x.is_finite() { vectors[index].y } else { vectors[index].x };
            return Err(ObserveError::BadDisc { field, index, value, allowed: "finite" });
        }
    }
    let least_zero = [("radii", frame.radii), ("masses", frame.masses)];
    let least_zero = least_zero.into_iter().filter_map(|(field, numbers)| Some((field, 0.0, numbers?)));
    let any = frame.columns.iter().map(|(_, numbers)| ("columns", f64::MIN, *numbers));
    for (field, least, numbers) in least_zero.chain(any) {
        ObserveError::same_length(field, numbers.len(), n)?;
        if let Some(index) = numbers.iter().position(|x| !(least..=f64::MAX).contains(x)) {
            let allowed = if least == 0.0 { "at least 0 and finite" } else { "finite" };
            return Err(ObserveError::BadDisc { field, index, value: numbers[index], allowed });
        }
    }
    if let Some(ids) = frame.ids {
        ObserveError::same_length("ids", ids.len(), n)?;
        if let Some(index) = ids.iter().position(|id| *id > i64::MAX as u64) {
            let value = ids[index] as f64;
            return Err(ObserveError::BadDisc { field: "ids", index, value, allowed: "below 2^63" });
        }
    }
    for (place, (name, _)) in frame.columns.iter().enumerate() {
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let good = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(letters);
        let taken = STANDARD.contains(name) || frame.columns[..place].iter().any(|(other, _)| other == name);
        if !good || taken {
            return Err(ObserveError::BadColumn { name: (*name).into() });
        }
    }
    Ok(())
}
