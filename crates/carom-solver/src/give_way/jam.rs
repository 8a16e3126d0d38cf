use super::GiveWay;
use alloc::vec::Vec;

/// Parts that hang together through unstoppable bodies that move, and how these give way: scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jam {
    pub(crate) problem: GiveWay,
    /// The infinite masses at parts that move: parts and members, sorted.
    pub(crate) moving: Vec<(usize, usize)>,
    /// The parts that hang together, sorted, and their moving bodies.
    pub(crate) connected: Vec<usize>,
    pub(crate) bodies: Vec<usize>,
    /// Parts that are resolved.
    pub(crate) done: Vec<usize>,
}

impl Jam {
    /// Finds what hangs together with a part: breadth first, over the bodies at each part and the parts at
    /// each body.
    pub(crate) fn connect(&mut self, first: usize) {
        let Jam { moving, connected, bodies, .. } = self;
        connected.clear();
        bodies.clear();
        connected.push(first);
        let mut next = 0;
        while let Some(&k) = connected.get(next) {
            next += 1;
            for &(_, m) in moving.iter().filter(|of| of.0 == k) {
                if !bodies.contains(&m) {
                    bodies.push(m);
                    connected.extend(moving.iter().filter(|of| of.1 == m).map(|of| of.0));
                }
            }
            // Of the parts that were added, those that are not in the list before them.
            let known = next;
            let mut end = known;
            for i in known..connected.len() {
                if !connected[..end].contains(&connected[i]) {
                    connected.swap(end, i);
                    end += 1;
                }
            }
            connected.truncate(end);
        }
        connected.sort_unstable();
        bodies.sort_unstable();
    }
}
