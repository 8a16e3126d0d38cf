use super::{Game, Hash, Played};
use carom_engine::{
    CastOptions, DVec2, DebugDraw, DebugView, Forecast, ForecastOptions, Mark, Partner, QueryFilter, Ray,
};

/// Hashes what is drawn.
struct Picture(Hash);

impl DebugDraw for Picture {
    fn line(&mut self, from: DVec2, to: DVec2, mark: Mark) {
        self.0.shown(&(from, to, mark));
    }

    fn circle(&mut self, center: DVec2, radius: f64, mark: Mark) {
        self.0.shown(&(center, radius, mark));
    }

    fn point(&mut self, at: DVec2, mark: Mark) {
        self.0.shown(&(at, mark));
    }
}

impl<P: Played> Game<'_, P> {
    /// Questions between two calls, without a choice and without a trace.
    pub(super) fn glance(&mut self) {
        let copy = self.world.clone();
        let _ = (self.world.next_event(), self.world.energy(), self.world.momentum(), self.world.diff(&copy));
        let (from, to) = (self.draw.scale.middle, self.draw.scale.middle + DVec2::new(3.0, 1.0));
        let _ = self.world.cast_ray(&Ray::between(from, to), &QueryFilter::new());
        let options = ForecastOptions::new(0.1);
        if let Some(id) = self.world.ids().next() {
            let _ = Forecast::new().path(&self.world, id, &options).map(<[_]>::len);
        }
        let _ = self.world.next_event();
        // The velocity that a disc has, set again. What nothing stops may have given way, or be on a journey.
        let discs: Vec<_> = self.world.discs().filter(|(_, disc)| disc.mass < f64::INFINITY).collect();
        for (id, disc) in discs {
            // Off the plane a disc has none, and keeps another for when it comes back.
            if self.world.is_enabled(id) {
                let _ = self.world.set_velocity(id, disc.velocity);
            }
        }
    }

    /// A question to the world.
    pub(super) fn look(&mut self) {
        match self.draw.below(8) {
            0 => {
                let next = self.world.next_event();
                self.tape.look("next", Ok(next));
            }
            1 => self.forecast(),
            2 => self.rays(),
            3 => self.casts(),
            4 => self.areas(),
            5 => self.nearest(),
            6 => self.picture(),
            _ => self.numbers(),
        }
    }

    fn filter(&mut self) -> QueryFilter<'static> {
        let filter = match self.draw.below(6) {
            0 => QueryFilter::new().only_discs(),
            1 => QueryFilter::new().only_walls(),
            2 => QueryFilter::new().with_rules(self.draw.rules()),
            3 => QueryFilter::new().with_predicate(&|partner| matches!(partner, Partner::Disc(_))),
            _ => QueryFilter::new(),
        };
        match self.disc() {
            Some(id) if self.draw.chance(30) => filter.excluding(id),
            _ => filter,
        }
    }

    fn forecast(&mut self) {
        let Some(id) = self.disc() else { return };
        let mut options = ForecastOptions::new(self.draw.seconds());
        if self.draw.chance(40) {
            options = options.with_max_impacts(self.draw.below(4));
        }
        if self.draw.chance(30) {
            options = options.with_frozen(true);
        }
        let mut forecast = Forecast::new();
        match self.draw.below(4) {
            0 => {
                let impact = forecast.first_impact(&self.world, options.max_time, |_| true);
                self.tape.look("first", impact);
            }
            1 => {
                let velocity = self.draw.velocity();
                let edit = |world: &mut carom_engine::World<P>| world.set_velocity(id, velocity);
                let path = forecast.path_after(&self.world, id, &options, edit).map(<[_]>::to_vec);
                self.tape.look("after", path);
            }
            _ => {
                let path = forecast.path(&self.world, id, &options).map(<[_]>::to_vec);
                self.tape.look("path", path);
            }
        }
        self.tape.look("end", Ok((forecast.end(), forecast.is_current(&self.world))));
        let time = self.world.clock().after(self.world.now(), 0.3 * options.max_time);
        self.tape.look("state", self.world.state_at(id, time));
    }

    fn rays(&mut self) {
        let (from, to, filter) = (self.draw.place(), self.draw.place(), self.filter());
        let ray = match self.draw.below(3) {
            0 => Ray::between(from, to),
            1 => Ray::new(from, to - from),
            _ => Ray::new(from, self.draw.pick(&[DVec2::X, DVec2::NEG_Y])).with_max_distance(3.0),
        };
        self.tape.look("ray", self.world.cast_ray(&ray, &filter));
        let mut hits = Vec::new();
        let result = self.world.ray_hits(&ray, &filter, &mut hits);
        self.tape.look("rays", result.map(|()| hits));
    }

    fn casts(&mut self) {
        let disc = self.draw.disc::<P>();
        let mut options = CastOptions::new();
        if self.draw.chance(70) {
            options = options.with_max_time(self.draw.seconds());
        }
        let options = options.with_frozen(self.draw.chance(30));
        let filter = self.filter();
        self.tape.look("cast", self.world.cast_disc(&disc, &options, &filter));
    }

    fn areas(&mut self) {
        let (at, other, filter) = (self.draw.place(), self.draw.place(), self.filter());
        let radius = self.draw.radius();
        let (mut point, mut disc, mut area) = (Vec::new(), Vec::new(), Vec::new());
        let result = self.world.overlap_point(at, &filter, &mut point);
        self.tape.look("point", result.map(|()| point));
        let result = self.world.overlap_disc(at, 2.0 * radius, &filter, &mut disc);
        self.tape.look("disc", result.map(|()| disc));
        let result = self.world.overlap_box(at.min(other), at.max(other), &filter, &mut area);
        self.tape.look("box", result.map(|()| area));
    }

    fn nearest(&mut self) {
        let (at, most, filter) = (self.draw.place(), self.draw.below(6), self.filter());
        let mut found = Vec::new();
        let result = self.world.nearest(at, most, &filter, &mut found);
        self.tape.look("nearest", result.map(|()| found));
    }

    fn picture(&mut self) {
        let view = DebugView::default().with_velocities(0.5).with_next_impacts(1.0);
        let mut picture = Picture(Hash::default());
        self.world.debug_draw(&view, &mut picture);
        if let Some(id) = self.disc() {
            let mut forecast = Forecast::new();
            if let Ok(path) = forecast.path(&self.world, id, &ForecastOptions::new(1.0)) {
                picture.path(path, self.world.clock().after(self.world.now(), 0.5));
            }
        }
        self.tape.look("picture", Ok(picture.0));
    }

    fn numbers(&mut self) {
        let mut places = vec![DVec2::ZERO; self.world.len() + usize::from(self.draw.chance(10))];
        let result = self.world.read_positions(&mut places);
        self.tape.look("places", result.map(|()| places.clone()));
        let result = self.world.read_unwrapped_positions(&mut places);
        self.tape.look("unwrapped", result.map(|()| places));
        let copy = self.world.clone();
        self.tape.look("copy", Ok(self.world.diff(&copy)));
        let ids = [self.disc(), self.disc()];
        if let [Some(a), Some(b)] = ids {
            let contains = (self.world.contains(a), self.world.is_enabled(b), self.world.is_excluded(a, b));
            self.tape.look("pair", Ok(contains));
        }
        self.tape.look("energy", Ok((self.world.kinetic_energy(), self.world.potential_energy())));
    }
}
