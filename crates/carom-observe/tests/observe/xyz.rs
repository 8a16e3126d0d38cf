//! Files of snapshots: what is written is read back, bit by bit, and what is wrong is refused with its line.

use carom_math::{DVec2, Periods};
use carom_observe::{ObserveError, XyzFrame, XyzReader, XyzRecord, XyzWriter};
use carom_testkit::property::config;
use proptest::prelude::*;

fn any_finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        -10.0..10.0,
        Just(0.0),
        Just(-0.0),
        Just(5e-324),
        Just(f64::MAX),
        Just(0.1 + 0.2),
    ]
}

/// As many of these, or none.
fn optional<T: std::fmt::Debug>(n: usize, of: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    (prop::collection::vec(of, n), any::<bool>())
        .prop_map(|(list, is_there)| if is_there { list } else { vec![] })
}

fn vectors() -> impl Strategy<Value = DVec2> {
    (any_finite(), any_finite()).prop_map(|(x, y)| DVec2::new(x, y))
}

fn record(n: usize) -> impl Strategy<Value = XyzRecord> {
    let sizes = || optional(n, any_finite().prop_map(f64::abs));
    let plane = (vectors(), 1e-15f64..1e15, 1e-15f64..1e15, any::<[bool; 2]>(), any_finite());
    let discs = (prop::collection::vec(vectors(), n), optional(n, vectors()), sizes(), sizes());
    let more = (optional(n, 0u64..=i64::MAX as u64), optional(n, any_finite()));
    (plane, discs, more).prop_map(|(plane, (positions, velocities, radii, masses), (ids, extra))| {
        let (origin, width, height, [x, y], time) = plane;
        let column = ("psi6_re".to_owned(), extra);
        XyzRecord {
            origin,
            sides: DVec2::new(width, height),
            periods: Periods::new(x.then_some(width), y.then_some(height)).unwrap(),
            time,
            positions,
            velocities,
            radii,
            masses,
            ids,
            columns: if column.1.is_empty() { Vec::new() } else { vec![column] },
        }
    })
}

fn write(records: &[XyzRecord], planar: bool) -> Result<String, ObserveError> {
    let writer = XyzWriter::new(Vec::new());
    let mut writer = if planar { writer.planar() } else { writer };
    for record in records {
        fn some<T>(list: &[T]) -> Option<&[T]> {
            (!list.is_empty()).then_some(list)
        }
        let columns: Vec<(&str, &[f64])> =
            record.columns.iter().map(|(name, numbers)| (name.as_str(), numbers.as_slice())).collect();
        writer.write(&XyzFrame {
            origin: record.origin,
            time: record.time,
            velocities: some(&record.velocities),
            radii: some(&record.radii),
            masses: some(&record.masses),
            ids: some(&record.ids),
            columns: &columns,
            ..XyzFrame::new(&record.positions, record.sides, record.periods)
        })?;
    }
    writer.flush()?;
    Ok(String::from_utf8(writer.into_inner()).unwrap())
}

fn read(text: &str) -> Result<Vec<XyzRecord>, ObserveError> {
    let mut reader = XyzReader::new(text.as_bytes());
    let mut records = Vec::new();
    while let Some(record) = reader.next_frame()? {
        records.push(record);
    }
    Ok(records)
}

proptest! {
    #![proptest_config(config(256))]

    /// Debug tells −0 from 0, which == does not, and prints as many digits as it takes.
    #[test]
    fn the_same_bits_come_back(one in record(3), other in record(5), planar: bool) {
        let records = vec![one, other];
        let text = write(&records, planar).unwrap();
        prop_assert_eq!(format!("{:?}", read(&text).unwrap()), format!("{records:?}"));
    }

    #[test]
    fn what_is_no_file_does_not_panic(record in record(3), at in 0usize..1000, by in "[ -~\n]{0,4}") {
        let mut text = write(&[record], false).unwrap();
        let at = at % text.len();
        text.replace_range(at..=at, &by);
        if let Err(error) = read(&text) {
            prop_assert!(error.to_string().starts_with("line "), "{}", error);
        }
    }
}

#[test]
fn no_discs_are_a_frame() {
    let empty = XyzRecord { sides: DVec2::ONE, ..XyzRecord::default() };
    assert_eq!(
        read(&write(&[empty.clone(), empty.clone()], false).unwrap()).unwrap(),
        [empty.clone(), empty]
    );
    assert_eq!(read("").unwrap(), []);
}

#[test]
fn refusals_say_where() {
    let head = "Lattice=\"4.0 0.0 0.0 0.0 2.0 0.0 0.0 0.0 1.0\" pbc=\"T F F\" Properties=pos:R:2:radius:R:1";
    for (text, says) in [
        ("x\n".to_string(), "line 1: the number of discs"),
        ("1\n".to_string(), "line 2: the frame ends too early"),
        (format!("2\n{head}\n1 2 3\n"), "line 4: the frame ends too early"),
        (format!("1\n{head}\n1 2\n"), "line 3: numbers are missing"),
        (format!("1\n{head}\n1 2 3 4\n"), "line 3: there are too many numbers"),
        (format!("1\n{head}\n1 2 x\n"), "line 3: x is no number"),
        (
            "1\nLattice=\"4.0 1.0 0.0 0.0 2.0 0.0 0.0 0.0 1.0\"\n".to_string(),
            "line 2: the lattice is no rectangle",
        ),
        ("1\nProperties=pos:R:4\n".to_string(), "line 2: pos:R:4 is not read here"),
        ("1\nProperties=pos:R\n".to_string(), "line 2: Properties are triples"),
        ("1\npbc=\"T F F\" Properties=pos:R:2\n1 2\n".to_string(), "line 2: periods.x is 0"),
        ("1\nnothing\n".to_string(), "line 2: there are no Properties"),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(says), "{error} / {says}");
    }
}

#[test]
fn what_programs_would_misread_is_not_written() {
    let places = [DVec2::ZERO, DVec2::ONE];
    let good = XyzFrame::new(&places, DVec2::ONE, Periods::NONE);
    let bad_columns: [&[(&str, &[f64])]; 7] = [
        &[("", &[1.0, 2.0])],
        &[("a b", &[1.0, 2.0])],
        &[("a:b", &[1.0, 2.0])],
        &[("1a", &[1.0, 2.0])],
        &[("radius", &[1.0, 2.0])],
        &[("a", &[1.0, 2.0]), ("a", &[1.0, 2.0])],
        &[("a", &[1.0, f64::INFINITY])],
    ];
    let lost = [DVec2::ONE, DVec2::new(0.0, f64::NAN)];
    let mut bad: Vec<XyzFrame> = bad_columns.iter().map(|&columns| XyzFrame { columns, ..good }).collect();
    let unit = Periods::new(Some(1.0), Some(1.0)).unwrap();
    bad.extend([
        XyzFrame { time: f64::NAN, ..good },
        XyzFrame { sides: DVec2::splat(-1.0), ..good },
        XyzFrame { sides: DVec2::splat(2.0), periods: unit, ..good },
        XyzFrame { origin: DVec2::splat(f64::INFINITY), ..good },
        XyzFrame { positions: &[DVec2::NAN], ..good },
        XyzFrame { velocities: Some(&[DVec2::ONE]), ..good },
        XyzFrame { velocities: Some(&lost), ..good },
        XyzFrame { radii: Some(&[1.0, -1.0]), ..good },
        XyzFrame { masses: Some(&[1.0, f64::INFINITY]), ..good },
        XyzFrame { ids: Some(&[1, u64::MAX]), ..good },
        XyzFrame { ids: Some(&[1]), ..good },
    ]);
    for frame in bad {
        let mut writer = XyzWriter::new(Vec::new());
        assert!(writer.write(&frame).is_err(), "{frame:?}");
        assert!(writer.into_inner().is_empty());
    }
    assert!(XyzWriter::new(Vec::new()).write(&good).is_ok());
}
