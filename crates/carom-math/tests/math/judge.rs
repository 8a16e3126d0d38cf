use carom_testkit::big::Big;

/// A contact that exact arithmetic finds, or that of this many bits.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<const BITS: usize = 0> {
    pub(crate) time: Big<BITS>,
    /// Unit in which an error of the time is measured, in seconds.
    pub(crate) unit: f64,
    /// Whether it is farther from being missed than the rounding band.
    pub(crate) certain: bool,
}

/// Compares a time of impact with what exact arithmetic finds: the multiple of the unit by which it errs.
///
/// An answer must be one of the candidates and not later than any certain one; no answer is right only if
/// none is certain.
pub(crate) fn judge(got: Option<f64>, candidates: &[Candidate]) -> Result<f64, String> {
    let shown = || {
        candidates
            .iter()
            .map(|c| format!("{:e} ± {:e} ({})", c.time.f64(), c.unit, c.certain))
            .collect::<Vec<_>>()
    };
    let Some(t) = got else {
        return match candidates.iter().any(|c| c.certain) {
            true => Err(format!("no contact found, but there is {:?}", shown())),
            false => Ok(0.0),
        };
    };
    if !(t >= 0.0) {
        return Err(format!("time {t} in the past"));
    }
    let multiple = |c: &Candidate| match c.time.distance(t) {
        0.0 => 0.0,
        error => error / c.unit,
    };
    let Some(nearest) = candidates.iter().map(multiple).reduce(f64::min) else {
        return Err(format!("contact at {t:e}, but there is none"));
    };
    let missed =
        candidates.iter().filter(|c| c.certain && c.time < Big::new(t)).map(multiple).fold(0.0, f64::max);
    match nearest.max(missed) {
        m if m < 1e3 => Ok(m),
        m => Err(format!("contact at {t:e}, {m:e} units from {:?}", shown())),
    }
}
