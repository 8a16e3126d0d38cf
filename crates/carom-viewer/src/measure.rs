//! How long frames take.

use crate::Viewer;
use eframe::egui;
use std::io::Write as _;
use web_time::{Duration, Instant};

/// Frames that are not counted: letters and buffers are made in them.
const WARM: usize = 20;

/// Runs a viewer for a time, one frame right after the other, and then writes what they took to standard
/// output and closes the window.
pub struct Measured {
    viewer: Viewer,
    duration: Duration,
    start: Option<Instant>,
    last: Option<Instant>,
    /// Seconds from frame to frame, of the program's part, and of the engine in that.
    frames: Vec<[f64; 3]>,
}

impl Measured {
    /// Lets time run in a viewer, for this many seconds.
    #[must_use]
    pub fn new(mut viewer: Viewer, seconds: f64) -> Self {
        viewer.command("play");
        let duration = Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
        Measured { viewer, duration, start: None, last: None, frames: Vec::new() }
    }

    /// The measured times in words.
    #[must_use]
    pub fn report(&self) -> String {
        let counted = self.frames.get(WARM..).unwrap_or_default();
        let mut text = format!("{} frames\n", counted.len());
        for (column, what) in ["from frame to frame", "the program", "the engine"].into_iter().enumerate() {
            let mut times: Vec<f64> = counted.iter().map(|frame| 1e3 * frame[column]).collect();
            times.sort_by(f64::total_cmp);
            let share = |part: f64| {
                times.get((part * times.len() as f64) as usize).or(times.last()).copied().unwrap_or(0.0)
            };
            text += &format!("{what}: median {:.2} ms, 95 % below {:.2} ms\n", share(0.5), share(0.95));
        }
        text
    }
}

impl eframe::App for Measured {
    fn update(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        let begin = Instant::now();
        let since = self.last.map_or(0.0, |last| begin.duration_since(last).as_secs_f64());
        self.last = Some(begin);
        self.viewer.show(ctx);
        self.frames.push([since, begin.elapsed().as_secs_f64(), self.viewer.engine_seconds()]);
        ctx.request_repaint();
        if begin.duration_since(*self.start.get_or_insert(begin)) >= self.duration {
            _ = std::io::stdout().write_all(self.report().as_bytes());
            self.duration = Duration::MAX;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}
