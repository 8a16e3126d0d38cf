use crate::ObserveError;
use crate::cells::checked_periods;
use carom_math::Periods;
use glam::DVec2;
use std::io::{BufRead, ErrorKind};

/// A frame that was read. Columns that were not there are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct XyzRecord {
    /// The lower left corner of the rectangle.
    pub origin: DVec2,
    /// The sides of the rectangle.
    pub sides: DVec2,
    /// Which axes are periodic, and with what period.
    pub periods: Periods,
    /// Seconds.
    pub time: f64,
    /// Centres.
    pub positions: Vec<DVec2>,
    /// Velocities.
    pub velocities: Vec<DVec2>,
    /// Radii.
    pub radii: Vec<f64>,
    /// Masses.
    pub masses: Vec<f64>,
    /// Numbers of the discs.
    pub ids: Vec<u64>,
    /// All others that hold one number each, by name.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// Reads frames as [`crate::XyzWriter`] writes them, with the columns in any order: the same bits come back.
///
/// Not all of the format: the rectangle must be one, in the plane, and a column of a type or size that the
/// writer does not have is refused.
///
/// ```
/// use carom_observe::XyzReader;
///
/// let text = "1\nLattice=\"4.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 1.0\" pbc=\"T F F\" \
///             Properties=id:I:1:pos:R:2\n7 1.0 0.1\n";
/// let mut reader = XyzReader::new(text.as_bytes());
/// let frame = reader.next_frame()?.unwrap();
/// assert_eq!((frame.ids[0], frame.positions[0].y, frame.periods.x()), (7, 0.1, Some(4.0)));
/// assert!(reader.next_frame()?.is_none());
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct XyzReader<R> {
    from: R,
    line: u64,
    text: String,
}

/// What a column holds.
enum Column {
    Species,
    Positions(usize),
    Velocities(usize),
    Radii,
    Masses,
    Ids,
    Other(usize),
}

impl<R: BufRead> XyzReader<R> {
    /// Reads from `from`.
    pub fn new(from: R) -> Self {
        Self { from, line: 0, text: String::new() }
    }

    /// The next frame, or `None` at the end.
    ///
    /// # Errors
    /// With the number of the line, if it is not as the writer writes it; if the reader fails. What comes
    /// next is then undefined.
    pub fn next_frame(&mut self) -> Result<Option<XyzRecord>, ObserveError> {
        if !self.next_line()? {
            return Ok(None);
        }
        let count: usize = match self.text.trim().parse() {
            Ok(count) => count,
            Err(_) => return Err(self.malformed("the number of discs should be here")),
        };
        let mut record = XyzRecord::default();
        self.needed_line()?;
        let columns = self.header(&mut record)?;
        for _ in 0..count {
            self.needed_line()?;
            self.disc(&columns, &mut record)?;
        }
        Ok(Some(record))
    }

    fn malformed(&self, what: impl Into<String>) -> ObserveError {
        ObserveError::Malformed { line: self.line, what: what.into() }
    }

    /// Whether there was another line.
    fn next_line(&mut self) -> Result<bool, ObserveError> {
        self.text.clear();
        self.line += 1;
        match self.from.read_line(&mut self.text) {
            Ok(bytes) => Ok(bytes > 0),
            Err(error) if error.kind() == ErrorKind::InvalidData => Err(self.malformed("this is no text")),
            Err(error) => Err(error.into()),
        }
    }

    fn needed_line(&mut self) -> Result<(), ObserveError> {
        if self.next_line()? { Ok(()) } else { Err(self.malformed("the frame ends too early")) }
    }

    fn header(&self, record: &mut XyzRecord) -> Result<Vec<Column>, ObserveError> {
        let mut columns = Vec::new();
        let mut periodic = [false; 2];
        let mut rest = self.text.trim();
        while let Some((key, after)) = rest.split_once('=') {
            let quoted = after.strip_prefix('"').and_then(|inner| inner.split_once('"'));
            let (value, after) =
                quoted.unwrap_or_else(|| after.split_once(char::is_whitespace).unwrap_or((after, "")));
            rest = after.trim_start();
            match key {
                "Lattice" => {
                    let [x, a, b, c, y, d, e, f, _] = self.numbers(value)?;
                    if [a, b, c, d, e, f] != [0.0; 6] {
                        return Err(self.malformed("the lattice is no rectangle"));
                    }
                    record.sides = DVec2::new(x, y);
                }
                "Origin" => {
                    let [x, y, _] = self.numbers(value)?;
                    record.origin = DVec2::new(x, y);
                }
                "pbc" => {
                    let flags: Vec<bool> = value.split_whitespace().map(|flag| flag == "T").collect();
                    let [x, y, _] = flags[..] else { return Err(self.malformed("pbc has three letters")) };
                    periodic = [x, y];
                }
                "Time" => [record.time] = self.numbers(value)?,
                "Properties" => columns = self.columns(value, record)?,
                _ => {}
            }
        }
        if columns.is_empty() {
            return Err(self.malformed("there are no Properties"));
        }
        let [x, y] = periodic;
        record.periods = checked_periods([x.then_some(record.sides.x), y.then_some(record.sides.y)])
            .map_err(|error| self.malformed(error.to_string()))?;
        Ok(columns)
    }

    fn columns(&self, properties: &str, record: &mut XyzRecord) -> Result<Vec<Column>, ObserveError> {
        let parts: Vec<&str> = properties.split(':').collect();
        if !parts.len().is_multiple_of(3) {
            return Err(self.malformed("Properties are triples of name, type and size"));
        }
        let mut columns = Vec::new();
        for part in parts.chunks_exact(3) {
            columns.push(match *part {
                ["species", "S", "1"] => Column::Species,
                ["pos", "R", "2"] => Column::Positions(2),
                ["pos", "R", "3"] => Column::Positions(3),
                ["velo", "R", "2"] => Column::Velocities(2),
                ["velo", "R", "3"] => Column::Velocities(3),
                ["radius", "R", "1"] => Column::Radii,
                ["mass", "R", "1"] => Column::Masses,
                ["id", "I", "1"] => Column::Ids,
                [name, "R", "1"] => {
                    record.columns.push((name.into(), Vec::new()));
                    Column::Other(record.columns.len() - 1)
                }
                _ => return Err(self.malformed(format!("{} is not read here", part.join(":")))),
            });
        }
        Ok(columns)
    }

    fn disc(&self, columns: &[Column], record: &mut XyzRecord) -> Result<(), ObserveError> {
        let mut words = self.text.split_whitespace();
        let mut word = || words.next().ok_or_else(|| self.malformed("numbers are missing"));
        for column in columns {
            match *column {
                Column::Species => {
                    word()?;
                }
                Column::Positions(size) | Column::Velocities(size) => {
                    let vector = DVec2::new(self.number(word()?)?, self.number(word()?)?);
                    if size == 3 {
                        self.number(word()?)?;
                    }
                    if matches!(column, Column::Positions(_)) {
                        record.positions.push(vector);
                    } else {
                        record.velocities.push(vector);
                    }
                }
                Column::Radii => record.radii.push(self.number(word()?)?),
                Column::Masses => record.masses.push(self.number(word()?)?),
                Column::Ids => {
                    let id = word()?.parse().map_err(|_| self.malformed("an id is no whole number"))?;
                    record.ids.push(id);
                }
                Column::Other(place) => record.columns[place].1.push(self.number(word()?)?),
            }
        }
        if words.next().is_some() { Err(self.malformed("there are too many numbers")) } else { Ok(()) }
    }

    fn number(&self, word: &str) -> Result<f64, ObserveError> {
        word.parse().map_err(|_| self.malformed(format!("{word} is no number")))
    }

    fn numbers<const K: usize>(&self, words: &str) -> Result<[f64; K], ObserveError> {
        let numbers: Vec<f64> =
            words.split_whitespace().map(|word| self.number(word)).collect::<Result<_, _>>()?;
        numbers.try_into().map_err(|_| self.malformed(format!("{K} numbers should be in \"{words}\"")))
    }
}
