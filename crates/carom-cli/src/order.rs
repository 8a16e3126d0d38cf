//! The order around each disc as its colour.

use carom_draw::{Legend, Rgb};
use carom_engine::{DVec2, Physics};
use carom_observe::{BondOrder, ObserveError, Weights};
use carom_scene::Built;
use clap::ValueEnum;

/// Sixfold: the triangular lattice.
const FOLD: u32 = 6;

/// Discs with five neighbours, six, seven, and any other number. Five and seven come in pairs: dislocations.
const BY_NEIGHBOURS: [(Rgb, &str); 4] = [
    (Rgb(0xf0, 0x5a, 0x4b), "5 neighbours"),
    (Rgb(0x6e, 0x74, 0x80), "6"),
    (Rgb(0x3f, 0x9c, 0xf0), "7"),
    (Rgb(0xf2, 0xc1, 0x4e), "others"),
];

/// What the colour of a disc says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    // Without help of their own: it would spread all the help over three times as many lines.
    Hexatic,
    Neighbours,
}

/// Colours of discs in file order, and what they mean.
pub(crate) struct Coloured {
    pub(crate) colours: Vec<Rgb>,
    pub(crate) legend: Vec<Legend>,
}

pub(crate) fn colours<P: Physics>(built: &Built<P>, colour: Colour) -> Result<Coloured, String> {
    let order = order(built).map_err(|error| error.to_string())?;
    Ok(match colour {
        Colour::Hexatic => Coloured {
            colours: order.local().iter().map(|psi| Rgb::of_phase(psi.x, psi.y)).collect(),
            legend: hexatic_legend(&order),
        },
        Colour::Neighbours => {
            let kind = |count: u32| match count {
                5..=7 => count as usize - 5,
                _ => 3,
            };
            let colours = order.neighbours().iter().map(|&count| BY_NEIGHBOURS[kind(count)].0).collect();
            let mut counts = [0_u64; 4];
            order.neighbours().iter().for_each(|&count| counts[kind(count)] += 1);
            let all = order.neighbours().len().max(1) as f64;
            let legend = BY_NEIGHBOURS.iter().zip(counts).map(|(&(colour, words), count)| Legend {
                colours: vec![colour],
                after: format!("{words} ({:.1} %)", 100.0 * count as f64 / all),
                ..Legend::default()
            });
            Coloured { colours, legend: legend.collect() }
        }
    })
}

fn order<P: Physics>(built: &Built<P>) -> Result<BondOrder, ObserveError> {
    let places: Vec<DVec2> =
        built.discs.iter().filter_map(|&id| Some(built.world.get(id)?.position())).collect();
    BondOrder::new(&places, *built.world.periods(), FOLD, Weights::Equal)
}

fn hexatic_legend(order: &BondOrder) -> Vec<Legend> {
    // Half a turn of the phase to either side is a twelfth of a turn of the lattice.
    let phases = (-24..=24).map(|k| (f64::from(k) / 24.0 * std::f64::consts::PI).sin_cos());
    let phases = phases.map(|(sin, cos)| Rgb::of_phase(cos, sin)).collect();
    let sizes = (0..=8).map(|k| Rgb::of_phase(f64::from(k) / 8.0, 0.0)).collect();
    vec![
        Legend { colours: phases, before: "lattice turned by −30°".to_owned(), after: "30°".to_owned() },
        Legend { colours: sizes, before: "|ψ| 0".to_owned(), after: "1".to_owned() },
        Legend {
            after: format!("mean |ψ| {:.3}, |mean ψ| {:.3}", order.mean_size(), order.global().length()),
            ..Legend::default()
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::Scene;

    /// A lattice with rows along x has ψ = 1 wherever all six neighbours are there.
    #[test]
    fn a_lattice_has_one_colour() {
        let text = "format = 1\nmodel = \"discs\"\nuntil = 1\n[[gases]]\ncount = 900\nradius = 0.5\n\
            packing = 0.7\n\
                    placement = \"hexagonal\"\nseed = 1\n[[walls]]\nshape = \"around_gas\"\ngas = 0\n";
        let built = Scene::from_toml(text, "lattice").unwrap().build().unwrap();
        let [hexatic, neighbours] =
            [Colour::Hexatic, Colour::Neighbours].map(|colour| colours(&built, colour).unwrap());
        assert_eq!((hexatic.colours.len(), neighbours.colours.len()), (900, 900));
        // 30 by 30 at this density; on the rim of 116 somebody is missing.
        let many = |colours: &[Rgb], colour| colours.iter().filter(|&&c| c == colour).count();
        assert!(many(&hexatic.colours, Rgb::of_phase(1.0, 0.0)) >= 700);
        assert!(many(&neighbours.colours, BY_NEIGHBOURS[1].0) >= 780);
        assert_eq!(neighbours.legend.len(), 4);
        // What the strip says: the phase turns once while the lattice turns by a sixth.
        let strip = &hexatic.legend[0].colours;
        assert_eq!((strip[24], strip[0]), (Rgb::of_phase(1.0, 0.0), *strip.last().unwrap()));
    }

    #[test]
    fn a_world_without_discs_has_an_order_too() {
        let built = Scene::new("nobody").build().unwrap();
        for colour in [Colour::Hexatic, Colour::Neighbours] {
            assert!(colours(&built, colour).unwrap().colours.is_empty());
        }
    }
}
