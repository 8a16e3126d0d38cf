use super::{ComingKind, Contacts, Session};
use crate::link::Promise;
use carom_engine::{DVec2, DiscId};
use serde_json::{Value, json};

/// The most discs of a report.
const DISCS: usize = 64;
/// The most coming events of a report.
const COMING: usize = 12;

impl Session {
    /// All that is shown, for tests and for what stands beside the window. `screen` says where a place
    /// of the world is on the screen, and `tips` where the tips of the velocities are in the world.
    pub fn report(&mut self, screen: impl Fn(DVec2) -> [f64; 2], tips: &[DVec2]) -> Value {
        let coming: Vec<Value> = self.outlook().coming().iter().take(COMING).map(coming).collect();
        let pair = self.pair_report();
        let world = self.world();
        let discs = world.discs().take(DISCS).zip(tips).map(|(disc, &tip)| {
            let (position, velocity) = (disc.position(), disc.velocity());
            json!({
                "id": disc.id().to_string(),
                "position": [position.x, position.y],
                "velocity": [velocity.x, velocity.y],
                "radius": disc.radius(),
                "mass": finite(disc.mass()),
                "angle": disc.spin().map(|spin| spin.angle),
                "angular_velocity": disc.spin().map(|spin| spin.angular_velocity),
                "screen": screen(position),
                "tip": [tip.x, tip.y],
                "tip_screen": screen(tip),
            })
        });
        let momentum = world.momentum();
        json!({
            "version": 1,
            "scene": self.name(),
            "time": world.now().as_secs(),
            "event": self.timeline().event(),
            "playing": self.is_playing(),
            "speed": self.speed(),
            "selected": name(self.selected()),
            "other": name(self.other()),
            "count": world.len(),
            "discs": discs.collect::<Vec<Value>>(),
            "next": coming,
            "pair": pair,
            "energy": world.energy(),
            "momentum": [momentum.x, momentum.y],
            "hash": format!("{:016x}", self.hash()),
            "promise": self.promise().map(Promise::is_kept),
            "message": self.message(),
        })
    }

    fn pair_report(&mut self) -> Value {
        let Some(pair) = self.pair() else { return Value::Null };
        let contacts = match pair.contacts {
            Contacts::Both(enter, exit) => json!([enter, exit]),
            Contacts::Graze(at) => json!([at, at]),
            Contacts::Never | Contacts::Always => Value::Null,
        };
        json!({
            "a": pair.a.to_string(),
            "b": pair.b.to_string(),
            "entry": pair.entry.filter(|entry| entry.is_finite()),
            "contacts": contacts,
            "discriminant": pair.discriminant,
            "says": pair.says(),
        })
    }
}

fn coming(event: &super::Coming) -> Value {
    let kind = match event.kind {
        ComingKind::Discs => "discs",
        ComingKind::Wall => "wall",
        ComingKind::Change => "change",
    };
    json!({ "time": event.time.as_secs(), "kind": kind, "a": event.a.to_string(), "b": name(event.b) })
}

fn name(disc: Option<DiscId>) -> Option<String> {
    disc.map(|disc| disc.to_string())
}

/// JSON has no infinity.
fn finite(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!("inf") }
}
