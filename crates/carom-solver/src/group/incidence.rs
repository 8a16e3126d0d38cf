use alloc::vec::Vec;

/// The contacts of each member.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incidence {
    /// Member by member, and where those of a member end.
    contacts: Vec<u32>,
    ends: Vec<u32>,
}

impl Incidence {
    /// Notes which contacts each of the members has, from all pairs of a contact and a member of it: in the
    /// order of these.
    pub(crate) fn note(&mut self, members: usize, pairs: impl Iterator<Item = (u32, usize)> + Clone) {
        let Incidence { contacts, ends } = self;
        // Counts, then their sums: the starts, which become the ends as the contacts are filled in.
        ends.clear();
        ends.resize(members + 1, 0);
        pairs.clone().for_each(|(_, m)| ends[m + 1] += 1);
        for m in 0..members {
            ends[m + 1] += ends[m];
        }
        contacts.clear();
        contacts.resize(ends[members] as usize, 0);
        for (c, m) in pairs {
            contacts[ends[m] as usize] = c;
            ends[m] += 1;
        }
    }

    /// The contacts of a member.
    pub(crate) fn of(&self, member: usize) -> &[u32] {
        let start = if member == 0 { 0 } else { self.ends[member - 1] as usize };
        &self.contacts[start..self.ends[member] as usize]
    }
}
