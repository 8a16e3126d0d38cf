//! Rate over the number of discs, as SVG; letters are the viewer's.

use crate::measure::Measured;
use crate::reference::REFERENCES;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

const SIZE: (u32, u32) = (800, 480);
/// Blue, orange and green that the colour-blind can tell (Okabe and Ito 2008), and grey for more.
const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(90, 90, 90)];

/// Draws into a file.
pub(crate) fn draw(measured: &[Measured], packings: &[f64], file: &Path) -> Result<(), Box<dyn Error>> {
    let drawing = drawing(measured, packings)?;
    std::fs::write(file, drawing).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// One line for each packing; dotted the reference, where there is one.
pub(crate) fn drawing(measured: &[Measured], packings: &[f64]) -> Result<String, Box<dyn Error>> {
    let points = |packing: f64| {
        let mut points: Vec<(f64, f64)> = measured
            .iter()
            .filter(|measured| measured.crowd.packing == packing)
            .map(|measured| (f64::from(measured.crowd.discs), measured.median / 1e6))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let theirs = |packing: f64| {
        REFERENCES
            .iter()
            .filter(move |reference| reference.packing == packing)
            .map(|reference| (f64::from(reference.discs), reference.rate))
    };
    let all = packings.iter().flat_map(|&packing| points(packing).into_iter().chain(theirs(packing)));
    let (mut least, mut most, mut top) = (100.0_f64, 1e6_f64, 0.0_f64);
    for (discs, rate) in all {
        (least, most, top) = (least.min(discs), most.max(discs), top.max(rate));
    }
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d((least * 0.8..most * 1.25).log_scale(), 0.0..1.1 * top)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("discs")
            .y_desc("million collisions per CPU second")
            .axis_desc_style(("sans-serif", 16))
            .label_style(("sans-serif", 14))
            .x_label_formatter(&|discs| power_of_ten(*discs))
            .draw()?;
        for (n, &packing) in packings.iter().enumerate() {
            let colour = COLOURS[n.min(COLOURS.len() - 1)];
            let line = colour.stroke_width(2);
            chart
                .draw_series(LineSeries::new(points(packing), line).point_size(3))?
                .label(format!("Carom, packing {packing}"))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], line));
            if theirs(packing).next().is_none() {
                continue;
            }
            chart
                .draw_series(DashedLineSeries::new(theirs(packing), 2, 4, line))?
                .label(format!("Single, packing {packing}"))
                .legend(move |(x, y)| DashedPathElement::new([(x, y), (x + 24, y)], 2, 4, line));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(TRANSPARENT)
            .label_font(("sans-serif", 14))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

fn power_of_ten(number: f64) -> String {
    let exponent = number.log10().round() as i32;
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match usize::try_from(exponent).ok().and_then(|exponent| digits.get(exponent)) {
        Some(digit) => format!("10{digit}"),
        None => format!("{number:e}"),
    }
}
