//! How a scene file says it wants to be drawn.

use crate::{DrawError, Portrait, Recorder, Rgb, Style, Surface};
use carom_engine::Physics;
use carom_scene::{Built, Scene, TableStyle};

/// The surface under coloured discs by default.
const NIGHT: Rgb = Rgb(0x10, 0x12, 0x18);

/// Cloth of a table whose scene does not say.
const GREEN: Rgb = Rgb(0x1f, 0x6f, 0x4b);

impl Recorder {
    /// A recorder for a scene that was just built, with the looks that its file gives: see [`Recorder::new`].
    ///
    /// # Errors
    /// If the scene cannot be drawn, as for [`Recorder::new`].
    pub fn of_scene<P: Physics>(scene: &Scene, built: &Built<P>) -> Result<Recorder, DrawError> {
        Recorder::new(&built.world, &built.discs, built.looks.clone(), style_of(scene))
    }
}

impl Portrait {
    /// Of a scene as it is now, with the title, the surface and the bounds that its file gives; on a dark
    /// surface if it gives none. `width` is that of the picture in pixels, if not the usual one.
    ///
    /// # Errors
    /// As for [`Portrait::new`].
    pub fn of_scene<P: Physics>(
        scene: &Scene,
        built: &Built<P>,
        colours: &[Rgb],
        width: Option<u32>,
    ) -> Result<Self, DrawError> {
        let mut style = style_of(scene);
        if scene.view.cloth.is_none() && style.surface == Surface::default() {
            // What is between the discs takes strength from their colours; black takes the least.
            style.surface = Surface::Plain(NIGHT);
        }
        style.width = width.unwrap_or(style.width);
        Self::new(&built.world, &built.discs, colours, style)
    }
}

/// The style that a scene asks for.
fn style_of(scene: &Scene) -> Style {
    let view = &scene.view;
    let cloth = view.cloth;
    Style {
        title: Some(if scene.title.is_empty() { scene.name.clone() } else { scene.title.clone() }),
        bounds: view.bounds.as_ref().map(|bounds| (bounds.min, bounds.max)),
        surface: match view.style {
            TableStyle::Table => Surface::Cloth(cloth.unwrap_or(GREEN)),
            TableStyle::Plain => cloth.map_or_else(Surface::default, Surface::Plain),
        },
        cushion: view.cushion,
        pockets: view.pockets.iter().map(|pocket| (pocket.center, pocket.radius)).collect(),
        ..Style::default()
    }
}
