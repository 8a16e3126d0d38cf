//! A Galton board: its bins counted, beside the binomial distribution.
//!
//! `cargo run --release --example galton_board`

use carom::{DVec2, Forces, World};
use carom_draw::{DrawError, MovieOptions, Recorder, Rgb, Sheet, Style};
use carom_scene::Scene;
use std::error::Error;
use std::path::Path;

/// Rows of pegs: as many steps to the left or right.
const ROWS: u32 = 8;

/// The 95th percentile of chi-square with 6 degrees of freedom: 7 groups of bins, whose sum is given.
const LIMIT: f64 = 12.59;

/// The probability of each bin.
fn binomial() -> Vec<f64> {
    let next = |c: &mut f64, k: u32| {
        let this = *c;
        *c *= f64::from(ROWS - k) / f64::from(k + 1);
        Some(this / f64::from(1 << ROWS))
    };
    (0..=ROWS).scan(1.0, next).collect()
}

/// How many marbles are in each bin, counted at the floor; those beyond the last bin count as in it.
fn count(world: &World<Forces>) -> Vec<f64> {
    let mut counts = vec![0.0; ROWS as usize + 1];
    for (_, marble) in world.discs() {
        let bin = (marble.position.x + f64::from(ROWS) / 2.0).round();
        counts[bin.clamp(0.0, f64::from(ROWS)) as usize] += 1.0;
    }
    counts
}

/// Chi-square of counts, the two outermost bins on either side taken together: the last one is expected to
/// hold less than one marble.
fn chi_square(counts: &[f64], expected: &[f64]) -> f64 {
    let group = |bins: &[f64]| -> Vec<f64> {
        let last = bins.len() - 2;
        let mut groups = vec![bins[0] + bins[1]];
        groups.extend(&bins[2..last]);
        groups.push(bins[last] + bins[last + 1]);
        groups
    };
    let terms = group(counts).into_iter().zip(group(expected));
    terms.map(|(count, expected)| (count - expected).powi(2) / expected).sum()
}

/// Counts as bars, and as dots what is expected, with two standard deviations to either side.
fn picture(
    title: String,
    caption: &str,
    counts: &[f64],
    expected: &[f64],
    marbles: f64,
) -> Result<Vec<u8>, DrawError> {
    const COUNTED: Rgb = Rgb(0x17, 0x79, 0x9c);
    const EXPECTED: Rgb = Rgb(0xe4, 0x57, 0x2e);
    let middle = 0.5 * f64::from(ROWS);
    let bounds = Some((DVec2::new(-0.6, -1.2), DVec2::new(2.0 * middle + 0.6, 5.2)));
    let mut sheet = Sheet::new(&Style { title: Some(title), bounds, width: 1000, ..Style::default() })?;
    for (bin, (&count, &expected)) in counts.iter().zip(expected).enumerate() {
        let at = |x: f64, count: f64| DVec2::new(bin as f64 + x, 15.0 * count / marbles);
        let bar = [at(-0.36, 0.0), at(0.36, 0.0), at(0.36, count), at(-0.36, count)];
        sheet.fill(&bar, COUNTED, 0.85);
        let reach = 2.0 * (expected * (1.0 - expected / marbles)).sqrt();
        let line = [at(0.0, (expected - reach).max(0.0)), at(0.0, expected + reach)];
        sheet.stroke(&line, 0.04, EXPECTED, 1.0);
        sheet.fill_disc(at(0.0, expected), 0.08, EXPECTED, 1.0);
        let below = at(0.0, 0.0) - DVec2::new(0.0, 0.25);
        sheet.text(below, 0.2, &format!("{count}"), COUNTED);
    }
    sheet.text(DVec2::new(middle, -0.8), 0.15, caption, Rgb::INK);
    sheet.head("dots: expected, ± 2 standard deviations");
    sheet.png()
}

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::named("galton-board")?;
    let mut built = scene.build_as::<Forces>()?;
    let mut recorder = Recorder::of_scene(&scene, &built)?;
    recorder.advance_to(&mut built.world, scene.until)?;
    recorder.finish(&built.world);

    let counts = count(&built.world);
    let marbles = built.world.len() as f64;
    let expected: Vec<f64> = binomial().into_iter().map(|probability| marbles * probability).collect();
    let mut variance = 0.0;
    println!("  bin  counted  expected");
    for (bin, (&count, &expected)) in counts.iter().zip(&expected).enumerate() {
        let step = bin as f64 - f64::from(ROWS) / 2.0;
        variance += step * step * count / marbles;
        println!("{step:5}  {count:7}  {expected:8.2}");
    }
    let ratio = variance / (f64::from(ROWS) / 4.0);
    let chi_square = chi_square(&counts, &expected);
    let verdict = if chi_square <= LIMIT { "within" } else { "beyond" };
    let caption = format!(
        "χ² = {chi_square:.1}, {verdict} the 95 % limit of {LIMIT} for 6 degrees of freedom; \
         variance {ratio:.2} of the binomial's"
    );
    println!("{caption}");

    let folder = Path::new("out");
    std::fs::create_dir_all(folder)?;
    let title = format!("Galton board: {marbles} marbles after {ROWS} rows of pegs");
    let bins = picture(title, &caption, &counts, &expected, marbles)?;
    std::fs::write(folder.join("galton_board_bins.png"), bins)?;
    std::fs::write(folder.join("galton_board.png"), recorder.picture_png()?)?;
    let movie = MovieOptions { width: 480, speed: 1.0, ..MovieOptions::default() };
    std::fs::write(folder.join("galton_board.gif"), recorder.movie_gif(&movie)?)?;
    println!("pictures: out/galton_board.png, out/galton_board_bins.png; movie: out/galton_board.gif");
    Ok(())
}
