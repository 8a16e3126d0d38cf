//! The bars and the panel of the gas.

use super::{Colouring, GasRoom};
use crate::plot;
use crate::room::{self, Shell};
use crate::style;
use eframe::egui::{self, RichText, Slider, Ui};

/// The numbers of discs to choose from.
const COUNTS: [(usize, &str); 4] = [(1000, "1000"), (10_000, "10⁴"), (100_000, "10⁵"), (1_000_000, "10⁶")];

impl GasRoom {
    pub(super) fn bar(&mut self, ui: &mut Ui, shell: &mut Shell) {
        ui.add_space(3.0);
        ui.horizontal_wrapped(|ui| {
            shell.menu(ui, &self.name);
            let play = if self.gas.is_playing() { "Pause" } else { "Play" };
            if ui.button(play).clicked() {
                self.gas.play(!self.gas.is_playing());
            }
            let is_narrow = room::is_narrow(ui.ctx());
            if !is_narrow {
                self.tools(ui, shell);
            }
            let mut panel = self.panel.unwrap_or(true);
            ui.toggle_value(&mut panel, if is_narrow { "More" } else { "Panels" });
            self.panel = Some(panel);
        });
        ui.add_space(3.0);
    }

    fn tools(&mut self, ui: &mut Ui, shell: &mut Shell) {
        if ui.button("Start").clicked() {
            self.restart();
        }
        let mut speed = self.gas.speed();
        if ui.add(Slider::new(&mut speed, 1e-3..=1e3).logarithmic(true).text("speed")).changed() {
            self.gas.set_speed(speed);
        }
        shell.dark_button(ui);
        ui.toggle_value(&mut self.help, "Help");
    }

    pub(super) fn time_bar(&mut self, ui: &mut Ui) {
        ui.add_space(3.0);
        let (time, pace, speed) = (self.gas.world().now().as_secs(), self.gas.pace(), self.gas.speed());
        ui.horizontal_wrapped(|ui| {
            ui.label(format!("{time:.4} s"));
            if self.gas.is_playing() && pace < 0.99 {
                ui.label(format!(
                    "{:.2} of the speed asked for: {} s of the gas in a second",
                    pace,
                    plot::digits(pace * speed, 3)
                ));
            }
        });
        if !self.gas.message().is_empty() {
            ui.label(RichText::new(self.gas.message()).color(style::accent(self.is_dark)).strong());
        }
        ui.add_space(3.0);
    }

    pub(super) fn panel(&mut self, ui: &mut Ui, shell: &mut Shell) {
        if room::is_narrow(ui.ctx()) {
            ui.horizontal_wrapped(|ui| self.tools(ui, shell));
        }
        ui.add_space(6.0);
        ui.heading("Gas");
        self.choices(ui);
        ui.add_space(6.0);
        ui.heading("Colours");
        self.colours(ui);
        ui.add_space(6.0);
        ui.heading("Measured");
        self.numbers(ui);
        ui.add_space(8.0);
    }

    fn choices(&mut self, ui: &mut Ui) {
        let before = self.wanted;
        ui.horizontal_wrapped(|ui| {
            for (count, name) in COUNTS {
                ui.selectable_value(&mut self.wanted.count, count, name);
            }
            ui.label("discs");
        });
        let mut packing = self.wanted.packing;
        let slider =
            ui.add(Slider::new(&mut packing, 0.02..=0.85).fixed_decimals(2).text("packing fraction"));
        if slider.changed() {
            self.wanted.packing = (100.0 * packing).round() / 100.0;
        }
        ui.horizontal(|ui| {
            ui.selectable_value(&mut self.wanted.is_periodic, true, "periodic");
            ui.selectable_value(&mut self.wanted.is_periodic, false, "walls");
            if ui.button("Other seed").clicked() {
                self.wanted.seed += 1;
            }
        });
        // A gas of a million takes a moment to make: not for every step of a slider.
        let is_sliding = slider.dragged();
        if (before != self.wanted && !is_sliding) || slider.drag_stopped() {
            self.restart();
        }
        ui.add(Slider::new(&mut self.budget, 1.0..=100.0).logarithmic(true).suffix(" ms").text("a frame"))
            .on_hover_text("the time that the engine has in each frame");
        ui.checkbox(&mut self.by_processor, "drawn by the processor")
            .on_hover_text("faster where there is no graphics hardware; chosen after 20 slow frames");
    }

    fn colours(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            for (colouring, name) in Colouring::ALL {
                ui.selectable_value(&mut self.colouring, colouring, name);
            }
        });
        if let Some(colour) = self.colouring.scale(self.is_dark) {
            let size = egui::vec2(ui.available_width() - 4.0, 10.0);
            let (response, painter) = ui.allocate_painter(size, egui::Sense::hover());
            let step = size.x / 64.0;
            for k in 0..64 {
                let at = response.rect.min + egui::vec2(step * k as f32, 0.0);
                let part = egui::Rect::from_min_size(at, egui::vec2(step + 1.0, size.y));
                painter.rect_filled(part, 0.0, colour(k as f32 / 63.0));
            }
        }
        ui.label(RichText::new(self.colouring.legend()).small());
    }

    fn numbers(&mut self, ui: &mut Ui) {
        let gas = &self.gas;
        let (of_clock, of_gas) = gas.rates();
        let drift = gas.samples().back().map_or(0.0, |last| last.drift);
        let expected = gas.expected_compressibility();
        let measured = gas.compressibility().map_or("no impact yet".to_owned(), |z| format!("{z:.4}"));
        let rows = [
            ("impacts a second", plot::grouped(of_clock)),
            ("in a second of the gas", plot::grouped(of_gas)),
            ("since the start", plot::grouped(gas.notes().tally.impacts as f64)),
            ("change of energy", format!("{drift:.1e}")),
            ("pressure, PA/NkT", measured),
            ("of a fluid, by Luding", format!("{expected:.4}")),
            ("engine in a frame", format!("{:.1} ms", 1e3 * self.engine_seconds)),
            ("frames a second", format!("{:.0}", 1.0 / self.frame_seconds.max(1e-3))),
        ];
        egui::Grid::new("numbers").num_columns(2).spacing([12.0, 3.0]).show(ui, |ui| {
            for (what, number) in rows {
                ui.label(what);
                ui.label(number);
                ui.end_row();
            }
        });
        ui.label("pressure over time");
        plot::curve(ui, 60.0, &gas.compressibility_over_time(), style::of_number(0), false);
    }
}
