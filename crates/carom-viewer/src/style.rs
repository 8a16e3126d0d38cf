//! Letters and colours.

use eframe::egui::{self, Color32, FontData, FontDefinitions, FontFamily, FontId, TextStyle, Visuals};
use std::sync::Arc;

/// Noto Sans, with the letters, figures and signs that are used here.
const FONT: &[u8] = include_bytes!("../font/noto-sans-subset.ttf");

/// Distinguishable also to those who do not see all colours (after Okabe and Ito).
const PALETTE: [Color32; 7] = [
    Color32::from_rgb(0, 114, 178),
    Color32::from_rgb(213, 94, 0),
    Color32::from_rgb(0, 158, 115),
    Color32::from_rgb(204, 121, 167),
    Color32::from_rgb(230, 159, 0),
    Color32::from_rgb(86, 180, 233),
    Color32::from_rgb(128, 112, 96),
];

pub(crate) fn of_number(number: usize) -> Color32 {
    PALETTE[number % PALETTE.len()]
}

pub(crate) fn plane(is_dark: bool) -> Color32 {
    if is_dark { Color32::from_rgb(22, 25, 30) } else { Color32::from_rgb(250, 249, 246) }
}

/// How light a colour is, from 0 to 255.
fn lightness(colour: Color32) -> f32 {
    let [red, green, blue, _] = colour.to_array().map(f32::from);
    0.30 * red + 0.59 * green + 0.11 * blue
}

/// White, or black on a light colour.
pub(crate) fn on_colour(colour: Color32) -> Color32 {
    if lightness(colour) > 165.0 { Color32::from_rgb(30, 32, 36) } else { Color32::WHITE }
}

/// The colour of the half by which one sees how a disc is turned.
pub(crate) fn other_half(colour: Color32) -> Color32 {
    if lightness(colour) > 165.0 {
        colour.lerp_to_gamma(Color32::BLACK, 0.4)
    } else {
        colour.lerp_to_gamma(Color32::WHITE, 0.55)
    }
}

/// A colour for lines on the plane: as it is, or nearer to ink if it could not be told from the plane.
pub(crate) fn seen_on_plane(colour: Color32, is_dark: bool) -> Color32 {
    let contrast = (lightness(colour) - lightness(plane(is_dark))).abs() / 255.0;
    colour.lerp_to_gamma(ink(is_dark), (0.75 - 2.5 * contrast).clamp(0.0, 0.6))
}

pub(crate) fn ink(is_dark: bool) -> Color32 {
    if is_dark { Color32::from_rgb(214, 217, 222) } else { Color32::from_rgb(45, 48, 54) }
}

pub(crate) fn accent(is_dark: bool) -> Color32 {
    if is_dark { Color32::from_rgb(255, 196, 84) } else { Color32::from_rgb(200, 80, 0) }
}

pub(crate) fn apply(ctx: &egui::Context, is_dark: bool) {
    let mut fonts = FontDefinitions::empty();
    fonts.font_data.insert("noto".to_owned(), Arc::new(FontData::from_static(FONT)));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec!["noto".to_owned()]);
    }
    ctx.set_fonts(fonts);
    ctx.set_theme(if is_dark { egui::Theme::Dark } else { egui::Theme::Light });
    let mut visuals = if is_dark { Visuals::dark() } else { Visuals::light() };
    visuals.panel_fill =
        if is_dark { Color32::from_rgb(32, 35, 41) } else { Color32::from_rgb(241, 240, 236) };
    visuals.override_text_color = Some(ink(is_dark));
    ctx.set_visuals(visuals);
    ctx.all_styles_mut(|style| {
        let sizes = [
            (TextStyle::Small, 11.0),
            (TextStyle::Body, 14.0),
            (TextStyle::Button, 14.0),
            (TextStyle::Monospace, 13.0),
            (TextStyle::Heading, 17.0),
        ];
        style.text_styles = sizes.into_iter().map(|(of, size)| (of, FontId::proportional(size))).collect();
        // As high as a button is: what stands in one row is level.
        style.spacing.interact_size.y = 25.0;
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
    });
}
