use super::contact_problem::ContactProblem;

impl ContactProblem {
    /// Finds the structure of the factor, unless it is that of the problem before.
    pub(super) fn analyze(&mut self) {
        self.is_analyzed = true;
        let ContactProblem { bodies, rows, analyzed: (of_bodies, of_rows), .. } = self;
        let is_known = rows.iter().map(|row| row.ends).eq(of_rows.iter().map(|&(ends, _)| ends));
        if is_known && bodies.len() == *of_bodies {
            rows.iter_mut().zip(of_rows).for_each(|(row, &mut (_, place))| row.place = place);
            return;
        }
        self.ldl.reset(self.bodies.len());
        for row in &self.rows {
            if let [Some(a), Some(b)] = row.ends {
                self.ldl.connect(a, b);
            }
        }
        self.ldl.analyze();
        for row in &mut self.rows {
            if let [Some(a), Some(b)] = row.ends {
                row.place = self.ldl.place_of(a, b);
            }
        }
        let (of_bodies, of_rows) = &mut self.analyzed;
        *of_bodies = self.bodies.len();
        of_rows.clear();
        of_rows.extend(self.rows.iter().map(|row| (row.ends, row.place)));
    }
}
