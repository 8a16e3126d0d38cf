//! A rack that is broken: where the balls are, for several frame times.

#[cfg(feature = "box2d")]
use crate::box2d_gas::Box2dGas;
use crate::carom_gas::CaromGas;
use crate::collider_gas::ColliderGas;
use crate::rapier_gas::{Ccd, double, single};
use crate::run::{Gas, energy};
use crate::scene::{RADIUS, Scene, State};
use carom::{DVec2, Wall};
use carom_draw::{Rgb, Sheet, Style, Surface};
use std::error::Error;

/// Metres in a unit of length: a diameter.
const BALL: f64 = 0.05715;
/// Simulated frames, of 1/60 s.
const FRAMES: usize = 60;

/// One simulation after all frames.
struct Ended {
    name: String,
    states: Vec<State>,
    /// Of the kinetic energy at the start.
    energy: f64,
    collisions: u64,
}

impl Ended {
    fn of(name: &str, mut gas: Box<dyn Gas>) -> Ended {
        let mut states = Vec::new();
        gas.states(&mut states);
        let start = energy(&states);
        (0..FRAMES).for_each(|_| gas.frame());
        gas.states(&mut states);
        Ended { name: name.to_owned(), energy: energy(&states) / start, states, collisions: gas.collisions() }
    }

    /// Distances of the same ball here and there, in metres: the mean and the largest.
    fn apart(&self, other: &Ended) -> (f64, f64) {
        let pairs = self.states.iter().zip(&other.states);
        let apart = pairs.map(|(a, b)| BALL * (place(a) - place(b)).length());
        let all: Vec<f64> = apart.collect();
        (all.iter().sum::<f64>() / all.len() as f64, all.iter().copied().fold(0.0, f64::max))
    }
}

fn place(state: &State) -> DVec2 {
    state.position.into()
}

/// Prints the table, and writes the picture where it is wanted.
pub(crate) fn show(picture: Option<&str>) -> Result<(), Box<dyn Error>> {
    let scene = Scene::rack();
    let ended = vec![
        Ended::of("Carom, 60 frames a second", Box::new(CaromGas::new(&scene, 1))),
        Ended::of("Carom, 240 frames a second", Box::new(CaromGas::new(&scene, 4))),
        Ended::of("rapier2d, 60 Hz", Box::new(single::RapierGas::new(&scene, 1, Ccd::Walls))),
        Ended::of("rapier2d, 240 Hz", Box::new(single::RapierGas::new(&scene, 4, Ccd::Walls))),
        Ended::of("rapier2d, 60 Hz, CCD", Box::new(single::RapierGas::new(&scene, 1, Ccd::Bullets))),
        Ended::of("rapier2d-f64, 960 Hz", Box::new(double::RapierGas::new(&scene, 16, Ccd::Walls))),
        Ended::of("collider", Box::new(ColliderGas::new(&scene))),
        #[cfg(feature = "box2d")]
        Ended::of("Box2D, 60 Hz", Box::new(Box2dGas::new(&scene, 1, false))),
        #[cfg(feature = "box2d")]
        Ended::of("Box2D, 240 Hz", Box::new(Box2dGas::new(&scene, 4, false))),
    ];
    println!("A rack of 15 balls, broken at 8 m/s, 5 mm off the centre; elastic, after 1 s\n");
    println!("| | energy kept | collisions of two balls | from Carom: mean, m | most, m |");
    println!("| --- | --- | --- | --- | --- |");
    for run in &ended {
        let (mean, most) = run.apart(&ended[0]);
        println!("| {} | {:.15} | {} | {mean:.3} | {most:.3} |", run.name, run.energy, run.collisions);
    }
    let (mean, most) = ended[2].apart(&ended[3]);
    println!("\nrapier2d at 60 Hz and at 240 Hz: {mean:.3} m apart in the mean, {most:.3} m at most");
    match picture {
        Some(path) => Ok(std::fs::write(path, draw(&scene, &ended)?)?),
        None => Ok(()),
    }
}

/// The balls of Carom, at 60 and at 240 frames a second alike, with lines to where the steps put them.
fn draw(scene: &Scene, ended: &[Ended]) -> Result<Vec<u8>, Box<dyn Error>> {
    let size = DVec2::from(scene.size);
    let style = Style {
        title: Some("A rack broken at 8 m/s, after one second".into()),
        bounds: Some((DVec2::splat(-1.0), size + DVec2::ONE)),
        surface: Surface::Plain("#f4f1ea".parse()?),
        width: 1400,
        ..Style::default()
    };
    let mut sheet = Sheet::new(&style)?;
    sheet.wall(&Wall::<()>::container(DVec2::ZERO, size).shape);
    let steps: [(usize, Rgb); 2] = [(2, "#d1495b".parse()?), (3, "#2e6fb7".parse()?)];
    for (k, colour) in steps {
        for (exact, stepped) in ended[0].states.iter().zip(&ended[k].states) {
            sheet.stroke(&[place(exact), place(stepped)], 0.05, colour, 0.35);
            sheet.ring(place(stepped), RADIUS - 0.06, 0.12, colour, 1.0);
        }
    }
    let ball: Rgb = "#f2b705".parse()?;
    for (number, (slow, fast)) in ended[0].states.iter().zip(&ended[1].states).enumerate() {
        let (colour, label) =
            if number == 0 { ("#fffdf5".parse()?, None) } else { (ball, Some(number.to_string())) };
        // Two balls if there were two places.
        sheet.ball(place(slow), RADIUS, colour, label.as_deref());
        if place(slow) != place(fast) {
            sheet.ball(place(fast), RADIUS, colour, label.as_deref());
        }
    }
    sheet.head("balls: Carom at 60 and 240 Hz · red: rapier2d at 60 Hz · blue: at 240 Hz");
    Ok(sheet.png()?)
}
