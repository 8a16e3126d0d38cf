//! Times of impact on parabolas, against the roots of polynomials in many digits.

mod discs;
mod families;
mod lines;
mod oracle;
mod polynomial;
mod walls;
