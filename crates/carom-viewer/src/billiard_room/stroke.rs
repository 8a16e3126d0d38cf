//! Where the tip meets the ball, and how steep the cue is: two drawings that are dragged.

use super::balls::colour;
use crate::billiards::{Aim, STEEPEST};
use crate::style;
use carom_billiards::{Cue, look};
use eframe::egui::{self, Color32, Response, Sense, Shape, Stroke, Ui, vec2};

/// The ball as the player sees it over the cue; a drag moves the tip's point. Says where that is put.
pub(super) fn tip(ui: &mut Ui, size: f32, aim: Aim, cue: &Cue, is_dark: bool) -> Option<Aim> {
    let (response, painter) = ui.allocate_painter(vec2(size, size), Sense::click_and_drag());
    label(&response, "where the tip meets the ball");
    let (centre, radius) = (response.rect.center(), 0.46 * size);
    painter.circle_filled(centre, radius, colour(look::IVORY));
    painter.circle_stroke(centre, radius, Stroke::new(1.0, Color32::from_black_alpha(140)));
    let faint = Stroke::new(1.0, Color32::from_black_alpha(60));
    painter.line_segment([centre - vec2(radius, 0.0), centre + vec2(radius, 0.0)], faint);
    painter.line_segment([centre - vec2(0.0, radius), centre + vec2(0.0, radius)], faint);
    let miscue = cue.miscue as f32 * radius;
    let circle: Vec<_> = (0..=48)
        .map(|k| centre + egui::Vec2::angled(k as f32 * std::f32::consts::TAU / 48.0) * miscue)
        .collect();
    let warning = Color32::from_rgb(0xc4, 0x21, 0x21);
    painter.extend(Shape::dashed_line(&circle, Stroke::new(1.2, warning), 4.0, 3.0));
    let at = centre + vec2(aim.side as f32, -aim.height as f32) * radius;
    let is_miscue = aim.side.hypot(aim.height) > cue.miscue;
    let fill = if is_miscue { warning } else { Color32::from_rgb(0x2b, 0x5f, 0x9e) };
    painter.circle_filled(at, 0.11 * size * 0.6, fill);
    painter.circle_stroke(at, 0.11 * size * 0.6, Stroke::new(1.5, style::ink(is_dark)));
    if response.double_clicked() {
        return Some(Aim { side: 0.0, height: 0.0, ..aim });
    }
    let at = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked())?;
    let off = (at - centre) / radius;
    // It snaps to the centre lines.
    let snapped = |x: f32| if x.abs() < 0.03 { 0.0 } else { f64::from(x) };
    Some(Aim { side: snapped(off.x), height: snapped(-off.y), ..aim })
}

/// The cue from the side; a drag lifts the butt. Says where that is put.
pub(super) fn elevation(ui: &mut Ui, size: f32, aim: Aim, is_dark: bool) -> Option<Aim> {
    let (response, painter) = ui.allocate_painter(vec2(size, size), Sense::click_and_drag());
    label(&response, "how steep the cue is");
    let rect = response.rect;
    let radius = 0.13 * size;
    let ball = rect.right_bottom() - vec2(1.5 * radius, radius + 4.0);
    let cloth = Stroke::new(2.0, colour(look::CLOTH));
    painter.line_segment([rect.left_bottom() - vec2(0.0, 3.0), rect.right_bottom() - vec2(0.0, 3.0)], cloth);
    painter.circle_filled(ball, radius, colour(look::IVORY));
    painter.circle_stroke(ball, radius, Stroke::new(1.0, Color32::from_black_alpha(140)));
    let way = -egui::Vec2::angled(aim.elevation as f32);
    let up = way.rot90() * (aim.height as f32 * radius);
    let tip = ball + up + way * (radius * 1.05);
    painter.line_segment(
        [tip, tip + way * (0.68 * size)],
        Stroke::new(4.0, Color32::from_rgb(0xb9, 0x8a, 0x4e)),
    );
    let text = format!("{:.1}°", aim.elevation.to_degrees());
    let ink = style::ink(is_dark);
    let at = if aim.elevation > 0.6 {
        rect.left_center() + vec2(4.0, 20.0)
    } else {
        rect.left_top() + vec2(4.0, 10.0)
    };
    painter.text(at, egui::Align2::LEFT_CENTER, text, egui::FontId::proportional(13.0), ink);
    let at = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked())?;
    let off = ball - at;
    let elevation = f64::from(off.y.atan2(off.x.max(0.01))).clamp(0.0, STEEPEST);
    Some(Aim { elevation: if elevation < 0.015 { 0.0 } else { elevation }, ..aim })
}

fn label(response: &Response, text: &'static str) {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, text));
}
