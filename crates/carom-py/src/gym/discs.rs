//! Anyone's own world: some discs are pushed by the agent, and a verdict table says what is good or bad.

use super::pods::write;
use super::random::Random;
use super::task::{Failed, Step, Task, share};
use crate::laws::Laws;
use carom_draw::{Portrait, Rgb, Style};
use carom_engine::{DVec2, DiscId, Event, Moment, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the environment is.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) agents: Vec<DiscId>,
    /// Seconds of a step.
    pub(crate) dt: f64,
    /// The change of velocity in a step at full push.
    pub(crate) push: f64,
    pub(crate) max_speed: f64,
    /// Agents start with velocities between minus this and this.
    pub(crate) start_speed: f64,
    pub(crate) limit: u32,
    /// Rewards by the notes of timers that end, which rules set.
    pub(crate) rewards: BTreeMap<u64, f64>,
    /// The notes that end an episode.
    pub(crate) ends: Vec<u64>,
    /// The reward of each impact of an agent with a disc.
    pub(crate) impact_reward: f64,
}

pub(crate) struct Discs<P: Laws> {
    rules: Arc<Rules>,
    start: Arc<World<P>>,
    /// Those of the start, in the order of its arrays.
    ids: Arc<Vec<DiscId>>,
    world: World<P>,
    turn: u32,
}

impl<P: Laws> Clone for Discs<P> {
    fn clone(&self) -> Self {
        let (rules, start, ids) = (self.rules.clone(), self.start.clone(), self.ids.clone());
        Discs { rules, start, ids, world: self.world.clone(), turn: self.turn }
    }
}

impl Rules {
    /// Whether rewards or ends depend on events. Where they do not, none are made.
    fn hear(&self) -> bool {
        self.impact_reward != 0.0 || !self.rewards.is_empty() || !self.ends.is_empty()
    }

    /// Adds what an event is worth.
    fn judge<C>(&self, event: &Event<C>, step: &mut Step) {
        match event {
            Event::Timer { note, .. } => {
                step.reward += self.rewards.get(note).copied().unwrap_or(0.0);
                step.is_terminated |= self.ends.contains(note);
            }
            Event::Impact(hit) if self.impact_reward != 0.0 && hit.b.disc().is_some() => {
                let count = self.agents.iter().filter(|&&agent| hit.involves(agent)).count();
                step.reward += self.impact_reward * count as f64;
            }
            _ => {}
        }
    }
}

impl<P: Laws> Discs<P> {
    pub(crate) fn new(rules: Rules, world: &World<P>) -> Self {
        let ids = world.ids().collect();
        let mut start = world.clone();
        start.set_record_events(false);
        let (start, world) = (Arc::new(start.clone()), start);
        Discs { rules: Arc::new(rules), start, ids: Arc::new(ids), world, turn: 0 }
    }

    fn push(&mut self, action: &[f32]) -> Result<(), Failed> {
        let rules = &self.rules;
        for (&agent, push) in rules.agents.iter().zip(action.chunks_exact(2)) {
            let Some(disc) = self.world.get(agent) else { continue };
            let push = DVec2::new(share(push[0]), share(push[1])) * rules.push;
            let velocity = (disc.velocity() + push).clamp_length_max(rules.max_speed);
            self.world.set_velocity(agent, velocity)?;
        }
        Ok(())
    }
}

impl<P: Laws> Task for Discs<P> {
    fn widths(&self) -> [usize; 2] {
        [4 * self.ids.len(), 2 * self.rules.agents.len()]
    }

    fn reset(&mut self, seed: u64) -> Result<(), Failed> {
        self.world.clone_from(&self.start);
        self.turn = 0;
        let (mut random, most) = (Random::new(seed), DVec2::splat(self.rules.start_speed));
        for &agent in &self.rules.agents {
            if self.rules.start_speed > 0.0 {
                self.world.set_velocity(agent, random.between(-most, most))?;
            }
        }
        Ok(())
    }

    fn step(&mut self, action: &[f32]) -> Result<Step, Failed> {
        self.push(action)?;
        let (mut step, rules) = (Step::default(), &self.rules);
        let to = self.world.after(rules.dt)?;
        if rules.hear() {
            let mut sink = |event: &Event<P::Change>| rules.judge(event, &mut step);
            self.world.advance_to_with(Moment::Exact(to), &mut sink)?;
        } else {
            self.world.advance_to(Moment::Exact(to))?;
        }
        self.turn += 1;
        step.is_truncated = self.turn >= rules.limit;
        Ok(step)
    }

    fn observe(&self, row: &mut [f32]) {
        let state = |&id: &DiscId| {
            let disc = self.world.get(id);
            disc.map_or([DVec2::ZERO; 2], |disc| [disc.position(), disc.velocity()])
        };
        write(row, self.ids.iter().flat_map(state));
    }

    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed> {
        let ids: Vec<DiscId> = self.world.ids().collect();
        let is_agent = |id: &DiscId| self.rules.agents.contains(id);
        let colour = |id| if is_agent(id) { Rgb(0xd0, 0x4a, 0x35) } else { Rgb(0x3b, 0x6e, 0xa8) };
        let colours: Vec<Rgb> = ids.iter().map(colour).collect();
        Ok(Portrait::new(&self.world, &ids, &colours, Style { width, ..Style::default() })?.png()?)
    }
}
