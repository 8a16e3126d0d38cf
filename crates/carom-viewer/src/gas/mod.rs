//! The room of the gas: many equal discs, drawn all at once, as fast as the engine can.

mod colour;
mod instances;
mod model;
mod order;
mod panel;

use crate::camera::Camera;
use crate::room::{self, Entry, Room, Shell};
use crate::style;
use carom_engine::DVec2;
pub use colour::Colouring;
use eframe::egui::{self, Sense};
use instances::Instances;
pub use model::{Gas, GasOptions, GasSample};
use serde_json::json;
use std::any::Any;
use web_time::{Duration, Instant};

/// Seconds for which a frame may be drawn until it is slow.
const SLOW: f64 = 0.025;
/// This many slow frames, one after the other, mean that graphics hardware is lacking.
const SLOW_FRAMES: u32 = 20;

/// What the keys do, for the help.
const KEYS: [(&str, &str); 7] = [
    ("Space", "play, pause"),
    ("Home", "begin anew, as chosen"),
    ("+  −", "faster, slower"),
    ("C", "other colours"),
    ("F", "show all"),
    ("T", "light, dark"),
    ("H", "this card"),
];

/// The names that are opened here.
const NAMES: [&str; 4] = ["gas", "gas of 1000", "gas of 10000", "gas between walls"];

/// How the room is entered: by `gas`, and words that say which.
pub(crate) const ENTRY: Entry = Entry {
    title: "gas",
    names: || NAMES.to_vec(),
    open: |text, now| {
        let options = options(text)?;
        Some(options.and_then(GasRoom::new).map(|mut room| {
            let now: &dyn Any = now;
            if let Some(now) = now.downcast_ref::<GasRoom>() {
                room.keep(now);
            }
            Box::new(room) as Box<dyn Room>
        }))
    },
};

/// What the words after `gas` ask for: a whole number of discs, a packing fraction, walls.
fn options(text: &str) -> Option<Result<GasOptions, String>> {
    let mut words = text.split_whitespace();
    if words.next() != Some("gas") || text.contains(['=', '\n']) {
        return None;
    }
    let mut options = GasOptions::default();
    let (mut before, mut is_counted) = ("", false);
    for word in words {
        match word {
            "of" | "between" => {}
            "walls" => options.is_periodic = false,
            "periodic" => options.is_periodic = true,
            _ => match (before, word.parse::<usize>(), word.parse::<f64>()) {
                (_, Ok(count), _) if !is_counted => (options.count, is_counted) = (count, true),
                ("of", ..) => {
                    return Some(Err(format!("the number of discs is {word}; {}", Gas::ALLOWED_COUNT)));
                }
                (_, _, Ok(packing)) => options.packing = packing,
                _ => {
                    let allowed = "`of` a number of discs, a packing fraction, `walls`, `periodic`";
                    return Some(Err(format!("`{word}` says nothing about a gas; allowed: {allowed}")));
                }
            },
        }
        before = word;
    }
    Some(Ok(options))
}

/// A window onto a [`Gas`].
pub struct GasRoom {
    gas: Gas,
    name: String,
    /// What the next gas is to be.
    wanted: GasOptions,
    camera: Camera,
    fits: bool,
    colouring: Colouring,
    /// Milliseconds that the engine has in a frame.
    budget: f64,
    instances: Instances,
    /// Whether the discs are drawn without OpenGL, and the picture of them.
    by_processor: bool,
    texture: Option<egui::TextureHandle>,
    slow_frames: u32,
    panel: Option<bool>,
    help: bool,
    is_dark: bool,
    /// Seconds of the last frame that the engine took, and that all of it did.
    engine_seconds: f64,
    frame_seconds: f64,
}

impl GasRoom {
    /// A gas that runs.
    ///
    /// # Errors
    /// As [`Gas::new`].
    pub fn new(options: GasOptions) -> Result<Self, String> {
        let gas = Gas::new(options)?;
        let colouring = if options.packing > 0.65 { Colouring::Order } else { Colouring::Speed };
        Ok(GasRoom {
            gas,
            name: name_of(options),
            wanted: options,
            camera: Camera::default(),
            fits: true,
            colouring,
            budget: 8.0,
            instances: Instances::default(),
            by_processor: false,
            texture: None,
            slow_frames: 0,
            panel: None,
            help: false,
            is_dark: false,
            engine_seconds: 0.0,
            frame_seconds: 0.0,
        })
    }

    /// The gas.
    #[must_use]
    pub fn gas(&self) -> &Gas {
        &self.gas
    }

    /// What the user has chosen stays as it was with another gas.
    fn keep(&mut self, now: &GasRoom) {
        (self.colouring, self.budget, self.panel) = (now.colouring, now.budget, now.panel);
        self.by_processor = now.by_processor;
        self.instances = now.instances.clone();
        self.gas.set_speed(now.gas.speed());
    }

    /// Begins with the gas that is wanted.
    fn restart(&mut self) {
        match Gas::new(self.wanted) {
            Ok(mut gas) => {
                gas.set_speed(self.gas.speed());
                self.gas = gas;
                self.name = name_of(self.wanted);
                self.fits = true;
            }
            Err(message) => self.gas.say(message),
        }
    }

    fn run(&mut self, seconds: f64) {
        let start = Instant::now();
        let until = start + Duration::from_secs_f64(1e-3 * self.budget);
        self.gas.frame(seconds, || Instant::now() < until);
        self.engine_seconds = start.elapsed().as_secs_f64();
        if self.colouring.is_of_order() {
            self.gas.update_order();
        }
    }

    fn keys(&mut self, ctx: &egui::Context) {
        if ctx.wants_keyboard_input() {
            return;
        }
        let is_hit = |key| ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
        if is_hit(egui::Key::Space) {
            self.gas.play(!self.gas.is_playing());
        }
        if is_hit(egui::Key::Home) {
            self.restart();
        }
        if is_hit(egui::Key::Plus) || is_hit(egui::Key::Equals) {
            self.gas.set_speed(2.0 * self.gas.speed());
        }
        if is_hit(egui::Key::Minus) {
            self.gas.set_speed(0.5 * self.gas.speed());
        }
        if is_hit(egui::Key::F) {
            self.fits = true;
        }
        if is_hit(egui::Key::H) {
            self.help = !self.help;
        }
        if is_hit(egui::Key::C) {
            let here = Colouring::ALL.iter().position(|&(colouring, _)| colouring == self.colouring);
            self.colouring = Colouring::ALL[here.map_or(0, |k| (k + 1) % Colouring::ALL.len())].0;
        }
    }

    fn show_help(&mut self, ctx: &egui::Context) {
        egui::Window::new("Help").open(&mut self.help).collapsible(false).show(ctx, |ui| {
            ui.set_max_width(380.0);
            ui.label("A gas of equal elastic discs. Drag it, and zoom with the wheel or two fingers.");
            let pace = "Where the engine cannot do what the speed asks for in the time that a frame has, \
                        the gas is slower, and the bar says by how much: no impact is left out.";
            ui.label(pace);
            ui.add_space(4.0);
            room::key_table(ui, &KEYS);
        });
    }

    fn canvas(&mut self, ui: &mut egui::Ui) {
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "the gas"));
        self.camera.set_rect(response.rect);
        if self.fits {
            self.camera.fit((DVec2::ZERO, DVec2::splat(self.gas.side())));
        }
        if response.dragged() {
            self.fits = false;
            // Of two fingers the middle between them is what moves. The way until a press is a drag counts.
            let fingers = ui.input(|input| input.multi_touch());
            let whole = response.total_drag_delta().filter(|_| response.drag_started());
            let by = fingers.map(|fingers| fingers.translation_delta).or(whole);
            self.camera.pan(by.unwrap_or(response.drag_delta()));
        }
        if self.camera.zoom_by_input(ui, &response) {
            self.fits = false;
        }
        let (low, high) = (DVec2::ZERO, DVec2::splat(self.gas.side()));
        let (a, b) = (self.camera.to_screen(low), self.camera.to_screen(high));
        let frame = egui::Rect::from_two_pos(a, b);
        let middle = self.camera.to_world(response.rect.center());
        let (gas, colouring, is_dark) = (&self.gas, self.colouring, self.is_dark);
        self.instances.set(model::RADIUS, self.camera.scale(), |discs| {
            colour::write(gas, colouring, is_dark, middle, discs);
        });
        let clipped = painter.with_clip_rect(painter.clip_rect().intersect(frame));
        if self.by_processor {
            self.draw_by_processor(ui.ctx(), &clipped, response.rect);
        } else {
            clipped.add(self.instances.callback(response.rect));
        }
        let ink = style::ink(self.is_dark).gamma_multiply(0.6);
        painter.rect_stroke(frame, 0.0, egui::Stroke::new(1.0, ink), egui::StrokeKind::Outside);
    }
}

impl GasRoom {
    /// A picture that the processor makes.
    fn draw_by_processor(&mut self, ctx: &egui::Context, painter: &egui::Painter, rect: egui::Rect) {
        let scale = ctx.pixels_per_point();
        let pixels = |points: f32| (points * scale).round().clamp(1.0, 8192.0) as usize;
        let image = self.instances.picture(pixels(rect.width()), pixels(rect.height()), scale);
        let options = egui::TextureOptions::NEAREST;
        let texture = match &mut self.texture {
            Some(texture) => {
                texture.set(image, options);
                texture
            }
            None => self.texture.insert(ctx.load_texture("gas", image, options)),
        };
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        painter.image(texture.id(), rect, whole, egui::Color32::WHITE);
    }

    /// Where graphics hardware is lacking, small discs are drawn faster by the processor: after this many
    /// slow frames they are, and where OpenGL is too old.
    fn choose_drawing(&mut self, seconds: f64) {
        let rest = seconds - self.engine_seconds;
        self.slow_frames = if rest > SLOW { self.slow_frames + 1 } else { 0 };
        let is_small = self.camera.scale() * model::RADIUS < 8.0;
        self.by_processor |=
            self.instances.refused().is_some() || (is_small && self.slow_frames > SLOW_FRAMES);
    }
}

fn name_of(options: GasOptions) -> String {
    let name = NAMES.iter().find(|name| self::options(name) == Some(Ok(options)));
    name.map_or_else(|| format!("gas of {}", options.count), |&name| name.to_owned())
}

impl Room for GasRoom {
    fn name(&self) -> &str {
        &self.name
    }

    fn show(&mut self, ctx: &egui::Context, shell: &mut Shell) {
        self.is_dark = shell.is_dark();
        let seconds = f64::from(ctx.input(|input| input.stable_dt));
        self.frame_seconds += 0.1 * (f64::from(ctx.input(|input| input.unstable_dt)) - self.frame_seconds);
        self.choose_drawing(f64::from(ctx.input(|input| input.unstable_dt)));
        self.keys(ctx);
        self.run(seconds);
        let is_wide = ctx.content_rect().width() > 760.0;
        let panel = *self.panel.get_or_insert(is_wide);
        egui::TopBottomPanel::top("bar").show(ctx, |ui| self.bar(ui, shell));
        egui::TopBottomPanel::bottom("time").show(ctx, |ui| self.time_bar(ui));
        if panel {
            room::drawer(ctx, |ui| self.panel(ui, shell));
        }
        let frame = egui::Frame::new().fill(style::plane(self.is_dark));
        egui::CentralPanel::default().frame(frame).show(ctx, |ui| self.canvas(ui));
        self.show_help(ctx);
        // The order is brought up to date to its end also where the gas stands still.
        let is_behind = self.colouring.is_of_order() && self.gas.is_order_behind();
        if self.gas.is_playing() || is_behind {
            ctx.request_repaint();
        }
    }

    fn describe(&mut self) -> String {
        let gas = &self.gas;
        let options = gas.options();
        let last = gas.samples().back().copied().unwrap_or_default();
        let (low, high) = (DVec2::ZERO, DVec2::splat(gas.side()));
        let corners = [low, high].map(|corner| self.camera.to_screen(corner)).map(|at| [at.x, at.y]);
        json!({
            "version": 1,
            "room": "gas",
            "scene": self.name,
            "count": options.count,
            "packing": options.packing,
            "periodic": options.is_periodic,
            "time": gas.world().now().as_secs(),
            "impacts": gas.notes().tally.impacts,
            "playing": gas.is_playing(),
            "speed": gas.speed(),
            "pace": gas.pace(),
            "compressibility": gas.compressibility(),
            "drift": last.drift,
            "engine_seconds": self.engine_seconds,
            "screen": corners,
            "instanced": !self.by_processor,
            "refused": self.instances.refused(),
            "message": gas.message(),
        })
        .to_string()
    }

    fn command(&mut self, name: &str) -> String {
        match name {
            "play" => self.gas.play(true),
            "pause" => self.gas.play(false),
            "restart" => self.restart(),
            "fit" => self.fits = true,
            other => return format!("there is no command `{other}`"),
        }
        String::new()
    }

    fn message(&self) -> &str {
        self.gas.message()
    }

    fn say(&mut self, message: String) {
        self.gas.say(message);
    }

    fn engine_seconds(&self) -> f64 {
        self.engine_seconds
    }
}
