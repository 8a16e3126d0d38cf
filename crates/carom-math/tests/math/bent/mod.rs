//! Times of impact on parabolas, against the roots of polynomials in many digits.

mod by_hand;
mod discs;
mod families;
mod lines;
mod oracle;
mod polynomial;
mod walls;
