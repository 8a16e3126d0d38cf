//! Draws very many discs at once: a quad for each, made round by the fragment shader.
//!
//! The one module that talks to OpenGL itself, since a mesh of the toolkit takes eight times the memory for
//! each disc and its time on the processor: 10⁵ discs would take most of a frame.
#![allow(unsafe_code, reason = "every function of glow is unsafe")]

use eframe::egui::{self, Color32, Rect};
use eframe::egui_glow::{CallbackFn, Painter};
use eframe::glow::{self, Context, HasContext as _};
use std::cell::RefCell;
use std::sync::{Arc, Mutex};

/// Where a disc is, from the middle of the view in units of length, as two `f32`; and its colour, red, green,
/// blue and opacity from the lowest byte on.
pub(super) type Instance = [u32; 3];

/// The bytes of an [`Instance`].
const STRIDE: i32 = 12;

/// The discs to be drawn, shared with what draws them.
#[derive(Clone, Default)]
pub(super) struct Instances {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    discs: Vec<Instance>,
    /// The radius in units of length, and points of the screen for one.
    radius: f32,
    scale: f32,
    /// Why they cannot be drawn in this way, once it has been tried.
    refused: Option<String>,
}

impl Instances {
    /// Replaces the discs: `fill` gets the list to be written anew.
    pub(super) fn set(&self, radius: f64, scale: f64, fill: impl FnOnce(&mut Vec<Instance>)) {
        let Ok(mut shared) = self.shared.lock() else { return };
        shared.discs.clear();
        (shared.radius, shared.scale) = (radius as f32, scale as f32);
        fill(&mut shared.discs);
    }

    /// Why OpenGL cannot draw them, if it was tried and could not; then [`Instances::picture`] does.
    pub(super) fn refused(&self) -> Option<String> {
        self.shared.lock().ok()?.refused.clone()
    }

    /// What draws them in a rectangle whose middle is that of the view.
    pub(super) fn callback(&self, rect: Rect) -> egui::PaintCallback {
        let shared = self.shared.clone();
        let paint = move |info: egui::PaintCallbackInfo, painter: &Painter| {
            if let Ok(mut shared) = shared.lock() {
                let port = info.viewport_in_pixels();
                let half_size = [port.width_px, port.height_px].map(|side| 0.5 * side as f32);
                // Pixels for a unit of length.
                let unit = shared.scale * info.pixels_per_point;
                let scale = half_size.map(|half| unit / half);
                let look = Look { scale, half_size, pixels: (shared.radius * unit).max(0.6) };
                if let Err(why) = draw(painter.gl(), &shared.discs, look) {
                    shared.refused = Some(why);
                }
            }
        };
        egui::PaintCallback { rect, callback: Arc::new(CallbackFn::new(paint)) }
    }

    /// The same as a picture, made by the processor: pixels of the screen, row by row from above.
    pub(super) fn picture(&self, width: usize, height: usize, pixels_per_point: f32) -> egui::ColorImage {
        let mut image = egui::ColorImage::filled([width, height], Color32::TRANSPARENT);
        let Ok(shared) = self.shared.lock() else { return image };
        let unit = shared.scale * pixels_per_point;
        let radius = (shared.radius * unit).max(0.6);
        let middle = [0.5 * width as f32, 0.5 * height as f32];
        for &[x, y, colour] in &shared.discs {
            let at = [middle[0] + f32::from_bits(x) * unit, middle[1] - f32::from_bits(y) * unit];
            let [red, green, blue, _] = colour.to_le_bytes();
            splat(&mut image, at, radius, Color32::from_rgb(red, green, blue));
        }
        image
    }
}

/// Puts a disc into a picture.
fn splat(image: &mut egui::ColorImage, at: [f32; 2], radius: f32, colour: Color32) {
    let [width, height] = image.size;
    let (outer, inner) = (radius + 0.5, (radius - 0.5).max(0.0));
    // The edge is a pixel wide, and even in the square of the distance, which is near enough.
    let (outer2, share) = (outer * outer, 256.0 / (outer * outer - inner * inner));
    let from = |at: f32| (at - outer).max(0.0) as usize;
    let to = |at: f32, size: usize| ((at + outer).max(-1.0) + 1.0).min(size as f32) as usize;
    let columns = from(at[0])..to(at[0], width);
    for y in from(at[1])..to(at[1], height) {
        let dy = y as f32 + 0.5 - at[1];
        let Some(row) = image.pixels.get_mut(y * width..(y + 1) * width) else { return };
        let Some(row) = row.get_mut(columns.clone()) else { return };
        for (x, pixel) in columns.clone().zip(row) {
            let dx = x as f32 + 0.5 - at[0];
            let cover = (outer2 - dx * dx - dy * dy) * share;
            if cover >= 256.0 {
                *pixel = colour;
            } else if cover > 0.0 {
                *pixel = mixed(*pixel, colour, cover as u32);
            }
        }
    }
}

/// `cover` of 256 parts of the upper colour over the lower one.
fn mixed(lower: Color32, upper: Color32, cover: u32) -> Color32 {
    let (lower, upper) = (lower.to_array(), upper.to_array());
    let mix = |k: usize| ((u32::from(lower[k]) * (256 - cover) + u32::from(upper[k]) * cover) >> 8) as u8;
    Color32::from_rgba_premultiplied(mix(0), mix(1), mix(2), mix(3))
}

/// How discs are drawn.
#[derive(Clone, Copy)]
struct Look {
    /// From units of length to the rectangle, whose sides go from −1 to 1.
    scale: [f32; 2],
    /// Half of the rectangle in pixels of the screen.
    half_size: [f32; 2],
    /// The radius in pixels of the screen; no disc is so small that it is not seen.
    pixels: f32,
}

/// What OpenGL keeps from frame to frame.
struct Pipeline {
    /// Whose it is.
    context: Arc<Context>,
    program: glow::Program,
    array: glow::VertexArray,
    buffer: glow::Buffer,
}

thread_local! {
    // Kept for as long as the program runs, whatever is shown: there is one window.
    static PIPELINE: RefCell<Option<Pipeline>> = const { RefCell::new(None) };
}

fn draw(gl: &Arc<Context>, discs: &[Instance], look: Look) -> Result<(), String> {
    PIPELINE.with_borrow_mut(|slot| {
        if slot.as_ref().is_none_or(|pipeline| !Arc::ptr_eq(&pipeline.context, gl)) {
            *slot = Some(Pipeline::new(gl)?);
        }
        match slot {
            Some(pipeline) => pipeline.draw(discs, look),
            None => Ok(()),
        }
    })
}

const VERTEX: &str = "
in vec2 place;
in vec4 colour;
uniform vec2 scale;
uniform vec2 half_size;
uniform float pixels;
out vec2 from;
flat out vec4 tint;
void main() {
    // A pixel more on all sides, for the smooth edge.
    from = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (pixels + 1.0);
    tint = colour;
    gl_Position = vec4(place * scale + from / half_size, 0.0, 1.0);
}
";

const FRAGMENT: &str = "
uniform float pixels;
in vec2 from;
flat in vec4 tint;
out vec4 shown;
void main() {
    float distance = length(from);
    float cover = clamp(pixels + 0.5 - distance, 0.0, 1.0);
    // Discs that are large enough have a darker rim, so that touching ones can be seen as two.
    float rim = smoothstep(4.0, 8.0, pixels) * smoothstep(0.80 * pixels, 0.98 * pixels, distance);
    shown = vec4(tint.rgb * (1.0 - 0.3 * rim), 1.0) * (tint.a * cover);
}
";

impl Pipeline {
    fn new(gl: &Arc<Context>) -> Result<Self, String> {
        let version = gl.version();
        let header = match (version.is_embedded, version.major, version.minor) {
            (true, 3.., _) => "#version 300 es\nprecision highp float;\n",
            (false, 4.., _) | (false, 3, 3..) => "#version 330\n",
            _ => return Err(format!("OpenGL is {version:?}; instances need 3.3, or 3.0 embedded")),
        };
        // SAFETY: the painter calls back with its context current, and every name that is used here was made
        // by this context just before.
        unsafe {
            let program = gl.create_program()?;
            let mut shaders = Vec::new();
            for (kind, source) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, &format!("{header}{source}"));
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    return Err(gl.get_shader_info_log(shader));
                }
                gl.attach_shader(program, shader);
                shaders.push(shader);
            }
            gl.bind_attrib_location(program, 0, "place");
            gl.bind_attrib_location(program, 1, "colour");
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(gl.get_program_info_log(program));
            }
            for shader in shaders {
                gl.detach_shader(program, shader);
                gl.delete_shader(shader);
            }
            let (array, buffer) = (gl.create_vertex_array()?, gl.create_buffer()?);
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            gl.enable_vertex_attrib_array(0);
            gl.vertex_attrib_pointer_f32(0, 2, glow::FLOAT, false, STRIDE, 0);
            gl.enable_vertex_attrib_array(1);
            gl.vertex_attrib_divisor(0, 1);
            gl.vertex_attrib_pointer_f32(1, 4, glow::UNSIGNED_BYTE, true, STRIDE, 8);
            gl.vertex_attrib_divisor(1, 1);
            gl.bind_vertex_array(None);
            Ok(Pipeline { context: gl.clone(), program, array, buffer })
        }
    }

    fn draw(&self, discs: &[Instance], look: Look) -> Result<(), String> {
        let gl = &self.context;
        let count = i32::try_from(discs.len()).map_err(|error| error.to_string())?;
        // SAFETY: as in `new`, the context is current and the names are its own; the buffer holds `count`
        // instances of `STRIDE` bytes, which is all that is drawn. The painter restores what is bound.
        unsafe {
            gl.use_program(Some(self.program));
            let uniform = |name: &str| gl.get_uniform_location(self.program, name);
            let pair = |name: &str, [x, y]: [f32; 2]| gl.uniform_2_f32(uniform(name).as_ref(), x, y);
            pair("scale", look.scale);
            pair("half_size", look.half_size);
            gl.uniform_1_f32(uniform("pixels").as_ref(), look.pixels);
            gl.bind_vertex_array(Some(self.array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffer));
            // A new store each time: the one that is still being drawn from is not waited for.
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytemuck::cast_slice(discs), glow::STREAM_DRAW);
            gl.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, count);
            gl.bind_vertex_array(None);
        }
        Ok(())
    }
}
