//! The table of pairs as a heat map.

use super::DiscRoom;
use crate::style;
use carom_engine::DiscId;
use eframe::egui::{Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

impl DiscRoom {
    /// One square for each entry, the stronger the sooner; rows and columns that an impact has rewritten
    /// flash.
    pub(super) fn table(&mut self, ui: &mut Ui) {
        let discs: Vec<DiscId> = self.session.world().ids().collect();
        let now = self.session.world().now().as_secs();
        let side = (ui.available_width() - 4.0).min(280.0);
        let (response, painter) = ui.allocate_painter(vec2(side, side), Sense::click());
        let (corner, size) = (response.rect.min, side / discs.len().max(1) as f32);
        let square = |row: usize, column: usize| {
            let at = corner + vec2(column as f32 * size, row as f32 * size);
            Rect::from_min_size(at, vec2(size, size)).shrink(0.5)
        };
        let empty = ui.visuals().extreme_bg_color;
        let soonest = discs
            .iter()
            .enumerate()
            .flat_map(|(row, &a)| discs.iter().take(row + 1).map(move |&b| (a, b)))
            .filter_map(|(a, b)| self.session.entry(a, b))
            .fold(f64::INFINITY, f64::min);
        for (row, &a) in discs.iter().enumerate() {
            for (column, &b) in discs.iter().enumerate().take(row + 1) {
                let Some(entry) = self.session.entry(a, b) else { continue };
                let strength = if entry.is_finite() { 1.0 / (1.0 + (entry - now).max(0.0)) } else { 0.0 };
                let mut colour = empty.lerp_to_gamma(style::of_number(0), strength as f32);
                if entry == soonest {
                    colour = style::accent(self.is_dark);
                }
                let latest = self.session.flashes().iter().rev().find(|flash| flash.0 == a || flash.0 == b);
                painter.rect_filled(square(row, column), 1.0, colour);
                if let Some((_, age)) = latest {
                    let light = (1.0 - age / 0.6).clamp(0.0, 1.0) as f32;
                    let ring = style::of_number(4).gamma_multiply(light);
                    painter.rect_filled(square(row, column), 1.0, ring.gamma_multiply(0.8));
                }
            }
        }
        self.table_cursor(ui, &response, &discs, size);
        let legend = "A row and a column for each disc, on the diagonal what it does alone: \
                      the stronger the sooner, the next in orange. What an impact has rewritten flashes.";
        ui.label(RichText::new(legend).small());
        let pair = [self.session.selected(), self.session.other()]
            .map(|id| discs.iter().position(|&disc| Some(disc) == id));
        if let [Some(a), Some(b)] = pair {
            let ring = Stroke::new(1.5, style::ink(self.is_dark));
            painter.rect_stroke(square(a.max(b), a.min(b)), 1.0, ring, eframe::egui::StrokeKind::Outside);
        }
    }

    /// Says what an entry is, and selects its pair.
    fn table_cursor(&mut self, ui: &Ui, response: &eframe::egui::Response, discs: &[DiscId], size: f32) {
        let Some(at) = response.hover_pos().or(response.interact_pointer_pos()) else { return };
        let cell = (at - response.rect.min) / size;
        let (column, row) = (cell.x.max(0.0) as usize, cell.y.max(0.0) as usize);
        let (Some(&a), Some(&b)) = (discs.get(row), discs.get(column)) else { return };
        if column > row {
            return;
        }
        let entry = self.session.entry(a, b);
        let text = match entry {
            Some(entry) if entry.is_finite() && a == b => format!("disc {a} on its own: {entry:.6} s"),
            Some(entry) if entry.is_finite() => format!("discs {b} and {a}: {entry:.6} s"),
            _ => format!("discs {b} and {a}: never"),
        };
        let painter = ui.painter();
        let galley =
            painter.layout_no_wrap(text, eframe::egui::FontId::proportional(11.0), style::ink(self.is_dark));
        let place = pos2(response.rect.right() - galley.size().x, response.rect.top());
        painter.galley(place, galley, style::ink(self.is_dark));
        if response.clicked() {
            self.session.select(Some(b));
            self.session.select(Some(a));
        }
    }
}
