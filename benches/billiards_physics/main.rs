//! Billiards against closed forms and published laws: pictures of `docs/validation/billiards-physics.md`.
//!
//! `cargo bench --bench billiards_physics -- ../docs/images/billiards-physics` writes them, and prints by how
//! much the engine is off the curves at most.

mod figures;
mod pockets;
mod scenes;

use figures::Figure;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

const SIZE: (u32, u32) = (720, 420);

/// Colours that the colour-blind can tell (Okabe and Ito 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];

/// The deviation from which on an engine is not that of the law, in the unit of the figure.
const MOST: f64 = 1e-5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("a folder to write the pictures to is missing")?;
    std::fs::create_dir_all(&folder).map_err(|error| format!("{folder}: {error}"))?;
    println!("| figure | points | largest deviation |\n| --- | --- | --- |");
    for figure in figures::all()? {
        let points: usize = figure.series.iter().map(|series| series.points.len()).sum();
        println!("| {} | {points} | {:.1e} {} |", figure.name, figure.deviation, figure.unit);
        if !(figure.deviation < MOST) {
            return Err(format!("{} is off its law", figure.name).into());
        }
        let file = Path::new(&folder).join(format!("billiards-{}.svg", figure.name));
        std::fs::write(&file, drawing(&figure)?).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// The number at a tick; what rounding makes of 0 is 0.
fn tick(at: &f64) -> String {
    format!("{}", (at * 1e6).round() / 1e6 + 0.0)
}

/// Curves are the laws, dots the engine.
fn drawing(figure: &Figure) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let [x, y] = figure.ranges();
        let mut chart = ChartBuilder::on(&area)
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.08))
            .x_desc(figure.x)
            .y_desc(figure.y)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .x_label_formatter(&tick)
            .y_label_formatter(&tick)
            .draw()?;
        for (series, colour) in figure.series.iter().zip(COLOURS) {
            let line = colour.stroke_width(2);
            chart
                .draw_series(LineSeries::new(series.curve.iter().copied(), line))?
                .label(series.label.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], line));
            let dot = |&at: &(f64, f64)| Circle::new(at, 3, colour.filled());
            chart.draw_series(series.points.iter().map(dot))?;
        }
        chart
            .configure_series_labels()
            .position(figure.legend.clone())
            .background_style(WHITE.mix(0.8))
            .border_style(TRANSPARENT)
            .label_font(("sans-serif", 13))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}
