//! The same start in an engine of fixed steps: outlines over ours, and numbers.

use super::DiscRoom;
use crate::fixed_step::{Beside, Compared};
use crate::plot;
use crate::style;
use eframe::egui::{Color32, Painter, Slider, Stroke, Ui};

impl DiscRoom {
    /// The same start in fixed steps, while it is shown.
    #[must_use]
    pub fn beside_ours(&self) -> Option<&Beside> {
        self.beside.as_ref()
    }

    /// Shows the same start in fixed steps, from the present on, or no longer.
    pub fn show_beside(&mut self, is_shown: bool) {
        self.beside = is_shown.then(|| self.beside.take().unwrap_or_default());
    }

    pub(super) fn follow_beside(&mut self) {
        if let Some(beside) = &mut self.beside {
            beside.follow(&self.session);
        }
    }

    fn colour_of_steps(&self) -> Color32 {
        style::seen_on_plane(style::of_number(3), self.is_dark)
    }

    /// An outline for each disc where fixed steps have it, tied to where it is.
    pub(super) fn draw_beside(&self, painter: &Painter) {
        let Some(beside) = &self.beside else { return };
        let stroke = Stroke::new(2.0, self.colour_of_steps());
        let thin = Stroke::new(1.0, self.colour_of_steps().gamma_multiply(0.6));
        let world = self.session.world();
        let discs = world.discs();
        for (disc, place) in discs.zip(beside.places()) {
            let (ours, theirs) = (self.camera.to_screen(disc.position()), self.camera.to_screen(place));
            painter.circle_stroke(theirs, self.camera.length(disc.radius()).max(2.0), stroke);
            painter.line_segment([ours, theirs], thin);
        }
    }

    pub(super) fn beside(&mut self, ui: &mut Ui) {
        let mut is_shown = self.beside.is_some();
        if ui.toggle_value(&mut is_shown, "Same start in fixed steps").changed() {
            self.show_beside(is_shown);
            self.follow_beside();
        }
        let colour = self.colour_of_steps();
        let Some(beside) = &mut self.beside else { return };
        let mut dt = beside.dt();
        let slider = Slider::new(&mut dt, 1e-4..=0.1).logarithmic(true).suffix(" s").text("step");
        if ui.add(slider.custom_formatter(|dt, _| plot::digits(dt, 3))).changed() {
            beside.set_dt(dt);
        }
        if ui.button("From here").on_hover_text("both begin anew with what is shown now").clicked() {
            beside.restart();
        }
        if !beside.refused().is_empty() {
            ui.label(beside.refused());
            return;
        }
        if let Some(compared) = beside.compared(&self.session) {
            if !beside.is_there() {
                ui.label("its steps are behind");
            }
            ui.colored_label(colour, format!("outlines: CCD, {:.0} steps a second", 1.0 / beside.dt()));
            numbers(ui, &compared);
        }
    }
}

fn numbers(ui: &mut Ui, compared: &Compared) {
    let [ours, theirs] = compared.impacts;
    let rows = [
        ("impacts", ours.to_string(), theirs.to_string()),
        ("passed through", "0".to_owned(), compared.passed.to_string()),
        ("energy", part(compared.energy, 0), part(compared.energy, 1)),
    ];
    eframe::egui::Grid::new("beside").num_columns(3).show(ui, |ui| {
        for text in ["", "here", "in steps"] {
            ui.strong(text);
        }
        ui.end_row();
        for (what, ours, theirs) in rows {
            ui.label(what);
            ui.label(ours);
            ui.label(theirs);
            ui.end_row();
        }
    });
    ui.label(format!("deepest overlap in steps {:.2e}", compared.overlap));
    ui.label(format!("farthest apart {:.6}", compared.farthest));
}

/// A part of the energy at the start, as per cent.
fn part(energy: Option<[f64; 2]>, which: usize) -> String {
    energy.map_or_else(|| "–".to_owned(), |energy| format!("{:.2} %", 100.0 * energy[which]))
}
