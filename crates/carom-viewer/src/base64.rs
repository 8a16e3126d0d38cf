//! Bytes as letters of links.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base 64 with the digits of RFC 4648, section 5, without padding.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, k| bits << 8 | u32::from(*three.get(k).unwrap_or(&0)));
        for k in 0..=three.len() as u32 {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * k) & 63) as usize]));
        }
    }
    text
}

/// The text that was encoded; none if that is not what it is.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for four in text.trim().as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for k in 0..4 {
            let digit = match four.get(k) {
                Some(byte) => DIGITS.iter().position(|digit| digit == byte)? as u32,
                None => 0,
            };
            bits = bits << 6 | digit;
        }
        let [_, rest @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(rest.get(..four.len().checked_sub(1)?)?);
    }
    String::from_utf8(bytes).ok()
}
