//! What is measured in gases of hard discs.
//!
//! Everything here works on plain slices of places, velocities, radii and masses, and on sums over impacts;
//! only [`TallySink`], [`StressMeter`] and [`FreeTimes`] listen to a world. What is not used costs nothing.
//!
//! | what | how |
//! | --- | --- |
//! | [`Ensemble`], [`Freedom`] | what N discs keep, and the means over velocities that follow |
//! | [`temperature()`], [`kinetic_energy`] | of velocities |
//! | [`Tally`], [`TallySink`] | impacts, counted while a world runs |
//! | [`PressureMeter`] | pressure by the virial and by the rate of impacts, with errors |
//! | [`contact_value_luding`], [`contact_value_henderson`], [`compressibility`] | pressures to compare with |
//! | [`mean_free_time`], [`enskog_free_time`] | the time between impacts, and Enskog's |
//! | [`FreeTimes`] | how the times between impacts are distributed |
//! | [`Histogram`] | how speeds, free times and the like are distributed |
//! | [`StressMeter`] | the stress tensor, and the pressure as half its trace |
//! | [`Radial`], [`StructureFactor`] | the radial distribution g(r), the structure factor S(k) |
//! | [`Displacement`] | the mean squared displacement |
//! | [`for_each_voronoi_cell`] | neighbours, and the area that belongs to each disc |
//! | [`BondOrder`] | the hexatic order ψ₆, or any other fold |
//! | [`XyzWriter`], [`XyzReader`] | snapshots that OVITO reads |
//! | [`Blocking`], [`Estimate`] | means of series with a memory, and their errors |
//!
//! A gas between walls, and how much more than an ideal one it presses on them:
//!
//! ```
//! use carom_engine::{DVec2, Disc, Wall, World};
//! use carom_observe::{Ensemble, Freedom, TallySink};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new();
//! world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(10.0)))?;
//! for k in 0..16 {
//!     let (x, y) = (f64::from(k % 4), f64::from(k / 4));
//!     let velocity = DVec2::new((1.7 * f64::from(k)).sin(), (2.9 * f64::from(k)).cos());
//!     world.insert(Disc::new(DVec2::new(2.0 + 2.0 * x, 2.0 + 2.0 * y), 0.5).with_velocity(velocity))?;
//! }
//! let mut sink = TallySink::equal(1.0);
//! let duration = 200.0;
//! world.advance_with(duration, &mut sink)?;
//!
//! // Centres keep half a unit off the walls.
//! let ensemble = Ensemble::new(16, 81.0, world.kinetic_energy(), Freedom::Walls)?;
//! let z = ensemble.beta_pa_by_virial(&sink.take(), duration) / 16.0;
//! assert!((1.2..1.7).contains(&z));
//! # Ok(())
//! # }
//! ```

//! A periodic world, its structure and its diffusion: what depends on periods takes the world's own,
//! [`World::periods`](carom_engine::World::periods).
//!
//! ```
//! use carom_engine::{DVec2, Disc, Settings, World};
//! use carom_observe::{BondOrder, Displacement, Ensemble, PressureMeter, Radial, TallySink, Weights};
//! use carom_observe::{XyzFrame, XyzWriter};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::with_settings(Settings::default().with_period([Some(6.0); 2]))?;
//! for k in 0..16 {
//!     let (x, y) = (f64::from(k % 4), f64::from(k / 4));
//!     let velocity = DVec2::new((1.7 * f64::from(k)).sin(), (2.9 * f64::from(k)).cos());
//!     world.insert(Disc::new(DVec2::new(1.5 * x, 1.5 * y), 0.5).with_velocity(velocity))?;
//! }
//! let periods = *world.periods();
//! let mut radial = Radial::new(periods, periods.lengths(), 3.0, 60)?;
//! let mut displacement = Displacement::new(world.len(), 20, 5)?;
//! // Its 30 degrees of freedom are counted relative to the centre of mass.
//! let mut meter = PressureMeter::new(Ensemble::of_period(&world)?, 1.0)?.of_equal_discs(1.0, 1.0)?;
//! let mut sink = TallySink::equal(1.0);
//! let mut places = vec![DVec2::ZERO; world.len()];
//! for _ in 0..200 {
//!     world.advance_with(meter.duration(), &mut sink)?;
//!     meter.add(&sink.take());
//!     world.read_positions(&mut places)?;
//!     radial.add(&places)?;
//!     // From period to period, a disc goes on and on.
//!     world.read_unwrapped_positions(&mut places)?;
//!     displacement.add(&places)?;
//! }
//! // No disc is nearer than a diameter; most are just beyond it.
//! let g: Vec<f64> = radial.bins().map(|bin| bin.g).collect();
//! assert!(g[..20].iter().all(|&g| g == 0.0) && g[20] > 1.5);
//! assert!(displacement.mean_square(20) > displacement.mean_square(10));
//! println!("βPA = {}", meter.rate().independent().unwrap());
//!
//! world.read_positions(&mut places)?;
//! let psi: Vec<f64> =
//!     BondOrder::new(&places, periods, 6, Weights::Equal)?.local().iter().map(|psi| psi.length()).collect();
//! let frame = XyzFrame {
//!     time: world.now().as_secs(),
//!     columns: &[("psi6", &psi)],
//!     ..XyzFrame::new(&places, periods.lengths(), periods)
//! };
//! XyzWriter::new(std::io::sink()).write(&frame)?;
//! # Ok(())
//! # }
//! ```

mod blocking;
mod cells;
mod contact_value;
mod displacement;
mod ensemble;
mod error;
mod estimate;
mod free_time;
mod histogram;
mod order;
mod pressure;
mod radial;
mod stress;
mod structure;
mod tally;
mod temperature;
mod voronoi;
mod xyz;
mod xyz_reader;

pub use blocking::Blocking;
pub use contact_value::{compressibility, contact_value_henderson, contact_value_luding};
pub use displacement::Displacement;
pub use ensemble::{Ensemble, Freedom};
pub use error::ObserveError;
pub use estimate::Estimate;
pub use free_time::{FreeTimes, enskog_free_time, mean_free_time};
pub use histogram::{Histogram, HistogramBin};
pub use order::{BondOrder, Weights};
pub use pressure::PressureMeter;
pub use radial::{Radial, RadialBin};
pub use stress::{StressMeter, Tensor};
pub use structure::{StructureBin, StructureFactor};
pub use tally::{Tally, TallySink};
pub use temperature::{kinetic_energy, temperature};
pub use voronoi::{Facet, VoronoiCell, for_each_voronoi_cell};
pub use xyz::{XyzFrame, XyzWriter};
pub use xyz_reader::{XyzReader, XyzRecord};
