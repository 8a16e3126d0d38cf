//! How a scene looks.

use glam::DVec2;

use crate::{DrawError, Rgb};

/// What the discs move on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The cloth of a table: the largest rectangular wall gets a wooden frame with cushions.
    Cloth(Rgb),
    /// A plain sheet; walls are strokes.
    Plain(Rgb),
}

impl Surface {
    pub(crate) fn colour(self) -> Rgb {
        match self {
            Self::Cloth(colour) | Self::Plain(colour) => colour,
        }
    }
}

impl Default for Surface {
    /// A white sheet.
    fn default() -> Self {
        Self::Plain(Rgb::WHITE)
    }
}

/// How the whole scene looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Stands above the picture; cut short where it does not fit.
    pub title: Option<String>,
    /// Lower left and upper right corner of what is shown, in world units; a table inside them is shown with
    /// its frame around it. `None`: the walls, the start positions and the paths, but no disc that flies off
    /// further than the size of all that.
    pub bounds: Option<(DVec2, DVec2)>,
    /// What the discs move on; default a white sheet.
    pub surface: Surface,
    /// Colour of the cushions. `None`: derived from the cloth. `Some` on a plain sheet makes it a table, too.
    pub cushion: Option<Rgb>,
    /// Centres and radii of pockets, in world units: decoration, nothing falls in. At most
    /// [`Style::MAX_POCKETS`].
    pub pockets: Vec<(DVec2, f64)>,
    /// Pixels of the picture from left to right, [`Style::MIN_WIDTH`] to [`Style::MAX_WIDTH`], default 1600.
    /// The height follows from the scene and is at most 1.5 times as much.
    pub width: u32,
}

impl Style {
    /// Least width of a picture or a movie, in pixels.
    pub const MIN_WIDTH: u32 = 32;
    /// Greatest width of a picture, in pixels: an image of at most 400 MB while it is drawn.
    pub const MAX_WIDTH: u32 = 8192;
    /// Most pockets.
    pub const MAX_POCKETS: usize = 1000;
    /// Greatest magnitude of a coordinate or a length here: products of two stay finite.
    pub const MAX_COORDINATE: f64 = 1e150;

    pub(crate) fn check(&self) -> Result<(), DrawError> {
        DrawError::check("style.width", self.width, Self::MIN_WIDTH..=Self::MAX_WIDTH)?;
        DrawError::check("style.pockets.len()", self.pockets.len(), 0..=Self::MAX_POCKETS)?;
        let limit = Self::MAX_COORDINATE;
        for &(centre, radius) in &self.pockets {
            DrawError::check_number("style.pockets centre x", centre.x, -limit..=limit)?;
            DrawError::check_number("style.pockets centre y", centre.y, -limit..=limit)?;
            DrawError::check_number("style.pockets radius", radius, 0.0..=limit)?;
        }
        if let Some((min, max)) = self.bounds {
            DrawError::check_number("style.bounds min x", min.x, -limit..=limit)?;
            DrawError::check_number("style.bounds min y", min.y, -limit..=limit)?;
            DrawError::check_number("style.bounds max x", max.x, min.x..=limit)?;
            DrawError::check_number("style.bounds max y", max.y, min.y..=limit)?;
        }
        Ok(())
    }
}

impl Default for Style {
    fn default() -> Self {
        Self {
            title: None,
            bounds: None,
            surface: Surface::default(),
            cushion: None,
            pockets: Vec::new(),
            width: 1600,
        }
    }
}
