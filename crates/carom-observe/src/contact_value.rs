/// The pair distribution at contact of equal discs by Henderson: (1 − 7η/16)/(1 − η)², η the packing
/// fraction.
///
/// Mol. Phys. 30 (1975) 971. To a few parts in 10³ up to η = 0.5. NaN outside [0, 1).
#[must_use]
pub fn contact_value_henderson(packing: f64) -> f64 {
    if !(0.0..1.0).contains(&packing) {
        return f64::NAN;
    }
    let free = 1.0 - packing;
    (1.0 - 7.0 / 16.0 * packing) / (free * free)
}

/// The same by Luding: Henderson's less (η³/16)/(8(1 − η)⁴).
///
/// Phys. Rev. E 63 (2001) 042201, the branch of the fluid, for which η ≤ 0.67. NaN outside [0, 1).
#[must_use]
pub fn contact_value_luding(packing: f64) -> f64 {
    let free = (1.0 - packing) * (1.0 - packing);
    contact_value_henderson(packing) - packing * packing * packing / (128.0 * free * free)
}

/// The compressibility factor βPA/N = 1 + 2ηχ of equal discs whose pair distribution at contact is χ. Exact.
#[must_use]
pub fn compressibility(packing: f64, contact_value: f64) -> f64 {
    1.0 + 2.0 * packing * contact_value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// βPA/N = 1 + 2η + (16/3 − 4√3/π)η² + …: B₃ is exact, and both forms have 25/16 in its place, as
    /// Henderson chose it: 2χ = 2 + 25η/8, against 3.1280.
    #[test]
    fn the_first_virial_coefficients() {
        let b3 = 16.0 / 3.0 - 4.0 * 3.0f64.sqrt() / std::f64::consts::PI;
        for chi in [contact_value_henderson, contact_value_luding] {
            assert_eq!(chi(0.0), 1.0);
            let h = 1e-5;
            // The third coefficient is about 4.2.
            let slope = (compressibility(h, chi(h)) - 1.0 - 2.0 * h) / (h * h);
            assert!((slope - 25.0 / 8.0).abs() < 5.0 * h && (slope - b3).abs() < 4e-3, "{slope} {b3}");
        }
    }

    /// βPσ² of 72 discs in a square is 6.9011 at η = 0.65 (B. Li et al., J. Chem. Phys. 157 (2022) 234111),
    /// where N matters at the level of 1 %.
    #[test]
    fn a_dense_fluid() {
        let reduced = compressibility(0.65, contact_value_luding(0.65)) * 0.65 / std::f64::consts::FRAC_PI_4;
        assert!((reduced / 6.9011 - 1.0).abs() < 0.01, "{reduced}");
    }

    /// B₃ … B₁₀ over powers of B₂ (N. Clisby and B. McCoy, J. Stat. Phys. 122 (2006) 15) and, for the rest, a
    /// geometric series: at η = ½ each term is that number. The last two ratios differ by 1 %, so that the
    /// rest, 0.024, is known to 0.001.
    #[test]
    fn the_virial_series() {
        let terms = [
            1.0, 1.0, 0.782_004, 0.532_232, 0.333_556, 0.198_843, 0.114_873, 0.064_993, 0.036_219, 0.019_954,
        ];
        let ratio = terms[9] / terms[8];
        let series = terms.iter().sum::<f64>() + terms[9] * ratio / (1.0 - ratio);
        let luding = compressibility(0.5, contact_value_luding(0.5));
        // Luding's form is given to some parts in 10⁴.
        assert!((luding - series).abs() < 4e-3, "{luding} {series}");
    }

    #[test]
    fn there_is_no_packing_beyond_one() {
        for bad in [-0.1, 1.0, f64::NAN] {
            assert!(contact_value_henderson(bad).is_nan() && contact_value_luding(bad).is_nan());
        }
    }
}
