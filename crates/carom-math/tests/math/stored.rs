//! Times and numbers as they are stored: every bit comes back, and what is none of them is refused.

use carom_math::{Clock, Time};
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Number(#[serde(with = "carom_math::number")] f64);

const NUMBERS: [f64; 10] =
    [0.0, -0.0, 1.0, -3.0, 0.1, 5e-324, f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn numbers_keep_their_bits_in_text_and_in_bytes() {
    for x in NUMBERS {
        let text = serde_json::to_string(&Number(x)).unwrap();
        let Number(back) = serde_json::from_str(&text).unwrap();
        assert_eq!(back.to_bits(), x.to_bits(), "{text}");
        let bytes = postcard::to_stdvec(&Number(x)).unwrap();
        assert_eq!(bytes, x.to_le_bytes(), "in bytes a number is itself");
        let Number(back) = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back.to_bits(), x.to_bits(), "{x}");
    }
}

#[test]
fn infinities_are_texts_and_integers_are_numbers() {
    let text = |x: f64| serde_json::to_string(&Number(x)).unwrap();
    assert_eq!([text(f64::INFINITY), text(f64::NEG_INFINITY)], [r#""inf""#, r#""-inf""#]);
    for (text, x) in [("3", 3.0), ("-3", -3.0), ("18446744073709551615", 2f64.powi(64)), ("1e2", 100.0)] {
        assert_eq!(serde_json::from_str::<Number>(text).unwrap(), Number(x));
    }
}

#[test]
fn what_is_no_number_is_refused() {
    let refusal = serde_json::to_string(&Number(f64::NAN)).unwrap_err().to_string();
    assert!(refusal.starts_with("NaN is none of the numbers"), "{refusal}");
    for text in [r#""nan""#, r#""NaN""#, r#""infinity""#, r#""1""#, "true", "null", "[1.0]"] {
        let refusal = serde_json::from_str::<Number>(text).unwrap_err().to_string();
        assert!(refusal.contains(r#"a number, "inf" or "-inf""#), "{text}: {refusal}");
    }
}

#[test]
fn times_come_back() {
    let clock = Clock::new(Clock::DEFAULT_EPOCH).unwrap();
    for time in [Time::ZERO, Time::NEVER, clock.at(1e9 + 0.1), clock.after(clock.at(1e12), 5e-324)] {
        let text = serde_json::to_string(&time).unwrap();
        assert_eq!(serde_json::from_str::<Time>(&text).unwrap(), time, "{text}");
        let bytes = postcard::to_stdvec(&time).unwrap();
        assert_eq!(postcard::from_bytes::<Time>(&bytes).unwrap(), time);
    }
    assert_eq!(
        serde_json::to_string(&Time::NEVER).unwrap(),
        r#"{"epoch_start":"inf","offset":0.0}"#,
        "in words of the two parts"
    );
    // Equal times have equal bits: no zero has a sign.
    let zero: Time = serde_json::from_str(r#"{"epoch_start":-0.0,"offset":-0.0}"#).unwrap();
    assert_eq!([zero.epoch_start().to_bits(), zero.offset().to_bits()], [0, 0]);
}

#[test]
fn what_is_no_time_is_refused() {
    for (start, offset, says) in [
        (-1.0, 0.0, "epoch_start is -1"),
        (f64::NEG_INFINITY, 0.0, "epoch_start is -inf"),
        (f64::NAN, 0.0, "epoch_start is NaN"),
        (0.0, -5e-324, "offset is -0.0"),
        (0.0, f64::INFINITY, "offset is inf"),
        (0.0, f64::NAN, "offset is NaN"),
        (f64::INFINITY, 5e-324, "allowed is 0 where epoch_start is inf"),
    ] {
        let bytes = postcard::to_stdvec(&(start, offset)).unwrap();
        assert!(postcard::from_bytes::<Time>(&bytes).is_err(), "{start} {offset}");
        let number = |x: f64| serde_json::to_string(&Number(x));
        let (Ok(start), Ok(offset)) = (number(start), number(offset)) else { continue };
        let text = format!(r#"{{"epoch_start":{start},"offset":{offset}}}"#);
        let refusal = serde_json::from_str::<Time>(&text).unwrap_err().to_string();
        // An offset is never infinite, so it has no text for that either.
        assert!(refusal.contains(says) || offset == r#""inf""#, "{text}: {refusal}");
    }
    for text in [r#"{"epoch_start":1.0}"#, r#"{"epoch_start":1.0,"offset":0.0,"more":0}"#, "1.0"] {
        assert!(serde_json::from_str::<Time>(text).is_err(), "{text}");
    }
}
