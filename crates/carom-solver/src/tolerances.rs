//! All tolerances of the crate, side by side.
//!
//! Each is a fraction of the largest quantity of its kind in the problem, so results do not depend on units;
//! what that quantity is stands first in its text. A tolerance must lie above the rounding of the arithmetic
//! that it is compared with, and below what the next step, which is coarser, tells apart. Numbers that bound
//! a loop stand at the loop.

// Impacts: speeds in double-double, which rounds at 2⁻¹⁰⁵.

/// Of the largest speed: a contact that approaches, or is violated, by less counts as one that does not.
///
/// Above the rounding of double-double with the ratios of masses that worlds allow, so that passes end; far
/// below an ulp of `f64`, 2⁻⁵², so that it does not show in velocities. With less, passes go on over rounding
/// until the work limit ends them with e = 0, and energy is lost.
pub(crate) const RESIDUAL: f64 = 1.0 / (1u128 << 90) as f64;

/// Of the largest speed: the residual at which corrections of a solution stop.
///
/// Below [`RESIDUAL`], so that a solved contact is not taken for one that still approaches; velocities are
/// rounded to 2⁻⁷² after it, so that the order of contacts does not show. Corrections that do not come so far
/// are judged by [`ACCEPTED_RESIDUAL`].
pub(crate) const FINE_RESIDUAL: f64 = 1.0 / (1u128 << 98) as f64;

/// Of the largest speed: by how much a contact must be on the wrong side, pushing or open, to change it after
/// a fine solution.
///
/// Above [`FINE_RESIDUAL`], or contacts that neither push nor open change sides without end; below
/// [`RESIDUAL`], or the next pass has them once more.
pub(crate) const SIDE_RESIDUAL: f64 = 1.0 / (1u128 << 92) as f64;

/// Of the largest speed: the residual with which a solution in double-double is still one.
///
/// Normals are rounded to `f64`, so contacts that depend on each other contradict each other by an ulp or
/// some, 2⁻⁵² to 2⁻⁴⁸, and no arithmetic does better. A solution that leaves more is left to elimination, or
/// to descent where there are many contacts; where neither does it, the part moves as one.
pub(crate) const ACCEPTED_RESIDUAL: f64 = 1.0 / (1u64 << 48) as f64;

/// Of the largest speed: after a solution with e = 0, a contact presses if it opens more slowly. The least
/// restitution of those that press is that of the part.
///
/// Above [`ACCEPTED_RESIDUAL`], which contacts that press may be left with. Far below any opening that an
/// impact makes: a contact taken to press by mistake lends its restitution to all others of the part.
pub(crate) const PRESSING_OPENING: f64 = 1.0 / (1u64 << 44) as f64;

/// Of the speeds that it is the sum of: a bound on what `f64` rounds of a speed of closing, some three times
/// what four sums and four products do.
///
/// Only within it is the speed computed in double-double. Too large costs time; too small would let rounding
/// decide who approaches.
pub(crate) const CLOSING_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Of the largest speed: a contact approaches after the physics if it does so faster.
///
/// The physics gives velocities in `f64`, so 4 ulp are rounding. With less, contacts at rest are solved again
/// after each impact, and energy is booked for it; with more, what truly approaches keeps doing so: it has
/// met, and is not met again.
pub(crate) const APPROACH_AFTER_PHYSICS: f64 = 4.0 * f64::EPSILON;

/// Of the rest speed: a held contact that opens more slowly is still pressed, and takes part in a pass.
///
/// What the projection to the rounding of `f64` leaves of openings lies below it. With less, a blow on a heap
/// would miss contacts that are held; with more, it would hold contacts that leave.
pub(crate) const HELD_OPENING: f64 = 1e-6;

// Giving way: exact, too, as a part that has no room must be told from one that has.

/// Of the largest impulse of a ray: what is left of a sum of impulses on an unstoppable body is rounding.
///
/// Normals are rounded, so impulses that cancel do so to some 2⁻⁵⁰. A ray that cancels everywhere demands
/// nothing; taken for a cut, its direction would be that of the rounding.
pub(crate) const CANCELLED: f64 = 1.0 / (1u64 << 40) as f64;

/// Of the largest speed of a part: what is left of a speed at a rim, from a sum in double doubles, is their
/// rounding.
///
/// Impulses that stop a spin do so to some 2⁻¹⁰⁵, and what is left depends on the order of the sum. Without
/// the bound, discs at rest would turn by 10⁻³⁴, each order of insertion with another one.
pub(crate) const CANCELLED_EXACTLY: f64 = CANCELLED * CANCELLED;

/// Of the slack of touching over the distance at contact: the widest angle of a wedge that rounding may have
/// made.
///
/// Both discs of a contact lie within that slack of where they would, and so do those that they touch. With
/// less, discs that a piston presses to a wall are shot out of their row; with more, what a flat wedge
/// squeezes out stays, and the piston stops.
pub(crate) const MAX_ROUNDED_ANGLE: f64 = 8.0;

/// Of the largest speed: the unit of the velocities of bodies that give way, and the least change that is
/// one.
///
/// Chains with the same ends demand the same to the rounding of their normals, some 2⁻⁵⁰, and which of them
/// decides depends on the order of contacts: rounded to this unit, it does not show.
pub(crate) const YIELDED_UNIT: f64 = 1.0 / (1u64 << 48) as f64;

/// Of the largest speed: a disc passes over a tracer without room if it closes on it faster.
///
/// What is slower is left by the rounding of the solution for the walls. Passing over is a record of the two
/// until they have parted, and no such record is due to a rounding.
pub(crate) const PASSED_CLOSING: f64 = 1.0 / (1u64 << 40) as f64;

// Linear algebra.

/// Of the diagonal: a pivot of the elimination in double-double that is smaller has cancelled, and its column
/// depends on the others.
///
/// Rounding leaves about 2⁻¹⁰⁰, and more after small pivots: see [`PIVOT_ROUNDING`]. Contacts that are
/// independent leave about the ratio of the masses, a light disc between two heavy ones, or the square of the
/// angle of a wedge: groups are right up to ratios of 10²³ and down to angles of 10⁻¹². Beyond, a contact is
/// taken to be held by the others, and is let go.
pub(crate) const DEPENDENT: f64 = 1.0 / (1u128 << 80) as f64;

/// Of the diagonal: a bound on the rounding of a pivot of that elimination.
///
/// That of the pivots before it is added, multiplied by the squares of their coefficients: a wedge of angle ε
/// magnifies it by 1/ε². A pivot below its bound may be rounding alone, even above [`DEPENDENT`].
pub(crate) const PIVOT_ROUNDING: f64 = 1.0 / (1u128 << 96) as f64;

/// Of the diagonal of `A`: the softness ε of a proximal step.
///
/// The factor is exact to 2⁻⁵³/ε, and a step reduces what is left by ε over the least singular value. Here
/// the two balance for patches of a thousand discs; with less the factor is noise, with more many steps are
/// needed.
pub(crate) const SOFTNESS: f64 = 1.0 / (1u64 << 26) as f64;

/// Of the softness: what is left of it where it hides how a contact can be brought to rest.
///
/// Two such factors take it to 2⁻⁴⁶, at which the factor still has some digits, and corrections do the rest.
pub(crate) const LESS_SOFT: f64 = 1.0 / (1 << 10) as f64;

/// Of the diagonal: rows whose pivots are larger clearly do not depend on each other, and are factored as
/// they are, without softness.
///
/// A step with that factor then loses some ten of 53 bits. Rows with smaller pivots get the soft factor,
/// which costs a few steps more.
pub(crate) const CLEAR_PIVOT: f64 = 1.0 / (1u64 << 10) as f64;

/// Of the fastest approach: what counts as zero while pivoting seeks the active set of an exact solution.
///
/// Above the rounding of the soft factor, 2⁻⁵³/ε = 2⁻²⁷. Sides within it are decided by the corrections.
pub(crate) const PIVOTING_ZERO: f64 = 1.0 / (1u64 << 23) as f64;

/// Of the square of the fastest approach: the mean product of impulse and speed that ends the search from
/// the interior.
///
/// Then one of the two is below 2⁻³⁵ of the approach, and the larger one tells the side. It is as far as the
/// soft factor carries the search.
pub(crate) const INTERIOR_CONVERGED: f64 = 1.0 / (1u128 << 70) as f64;

// Rest: in `f64`.

/// Of the largest speed or acceleration: what cancels to less is 0.
///
/// Above what sums over the contacts of a disc round in `f64`. With less, pivoting chases rounding from side
/// to side; with more, what moves slowly is stopped.
pub(crate) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Of the largest impulse: one that pulls by less is 0.
///
/// Impulses are less exact than speeds where contacts depend on each other, hence 450 ulp.
pub(crate) const LEAST_PULL: f64 = 1e-13;

/// Of the largest impulse: proximal steps that change none by more have converged; and one that a descent
/// brings below it is 0. Some 45 ulp: less is not reached.
pub(crate) const LEAST_IMPULSE: f64 = 1e-14;

/// Of the largest speed: a solution in `f64` that violates a condition by more is refused. The exact solver
/// takes over, or the piece is shortened.
///
/// What is accepted is mended: by the next projection, or at the end of a piece. What the null space of a
/// heap leaves in `f64` must lie below it, or each of them is solved twice.
pub(crate) const F64_WRONG: f64 = 1e-6;

/// Of the largest speed: what corrections without softness may leave for signs to be told.
///
/// Larger residuals say that the active set cannot be brought to rest, and what its signs are is noise.
pub(crate) const SIGNS_TOLD: f64 = 1e-8;

/// Of the largest speed, or that of a fall by a radius: a disc that is slower is still.
///
/// Above what projections leave of velocities that are to be 0. A disc that is not stopped by it creeps, and
/// has events without end; one that is stopped by it loses 10⁻²⁴ of its energy. A million from the origin
/// projections leave 10⁻¹¹, by the rounding of normals: see `Member::still_speed`.
pub(crate) const STILL: f64 = 1e-12;

/// Of the speeds, or that of a fall by a radius: a contact that opens or closes more slowly is active, and
/// forces decide about it.
///
/// Where contacts depend on each other a projection leaves up to this much. With less, the contacts of a
/// heap are lost in turn; with more, contacts that open are held.
pub(crate) const CLOSED: f64 = 1e-8;

/// Of the largest acceleration that cancelled: a smaller one is 0.
///
/// What is at rest must have accelerations of exactly 0, or it has pieces and events for ever. Forces of a
/// wedge of leverage `k` leave 10⁻¹⁴ `k`: where that is more, the exact solver is asked.
pub(crate) const UNMOVED: f64 = 1e-11;

/// Of the energy: what rounding may add to it in a projection. A solution that adds more is not that
/// projection, and the next attempt is made.
pub(crate) const ADDED_ENERGY: f64 = 1e-12;

/// Of the largest force of a problem: a contact with a smaller one is not held.
///
/// The search leaves impulses of this size at contacts that do not press. A contact held by mistake is
/// reported and has pieces; one let go by mistake takes its force of 10⁻¹⁰ with it, and is met again.
pub(crate) const LEAST_FORCE: f64 = 1e-10;

/// Of the largest acceleration: what is near and does not touch presses with no larger force.
///
/// In a wedge of the angle `1/k` a disc presses with `k` times its acceleration. Before a gap of 10⁻¹⁰ of the
/// size closes there, it goes 10⁻¹⁰ `k` along the wedge, and the normal turns by as much: a hundredth of the
/// angle at this leverage. With more the normal turns away before the gap closes. So it does at the end of a
/// wall beside which a disc just fits: the disc passes it.
pub(crate) const LEVERAGE: f64 = 1e4;

/// Of the kinetic energy of a cluster: by how much scaling its velocities may change it where a piece is cut.
///
/// Pieces are off by far less. Where more is missing, the cluster has met what is not in the sum, and scaling
/// would make it up from nothing: it is left as it is.
pub(crate) const MAX_ENERGY_REPAIR: f64 = 1e-2;

// Pieces of motion under forces of contacts.

/// Radians: by how much a line of centres turns in a piece; and, of the distance at contact, the way that an
/// acceleration makes in it, as `a T²`.
///
/// The error of the path along the contact is of the second order in it. A tenth of it takes ten times as
/// many pieces.
pub(crate) const MAX_TURN: f64 = 1e-2;

/// Of the distance at contact: the way that a force alone would make in a piece, as `λ T²`.
///
/// A force turns with its line of centres. A piece has its mean direction, so a small swing in a bowl is
/// slow by a twelfth of this: `λ T²/12 R` of its time. With 0.5 that is 4 %; with 0.01 a heap that rubs has a
/// third more pieces. Forces of wedges are many times the accelerations that they cancel, and with a
/// hundredth of this a disc in a wedge of 10⁻⁶ has pieces of microseconds. With 1 and more iterations for
/// the end of a piece converge slowly or not at all.
pub(crate) const MAX_PUSH: f64 = 0.05;

/// Of the accelerations: the largest part that closes gaps.
///
/// A gap left by a cut piece is closed over the next pieces; all at once in a short one, it would be a blow.
pub(crate) const MAX_CLOSING: f64 = 1e-2;

/// Of the largest acceleration, times the [largest gap](crate::Group::max_gap): iterations for the end of a
/// piece that change none by more have converged.
///
/// A way `a T²` is at most [`MAX_TURN`] of the size, so the gap at the end is off by a twentieth of the
/// largest one. With more, gaps would be those of the iteration; with a hundredth, each third piece takes one
/// more.
pub(crate) const PIECE_CONVERGED: f64 = 10.0;

/// Of a piece, times the [largest gap](crate::Group::max_gap): a force that falls to zero earlier than this
/// before its end ends it there.
///
/// If the zero is later, the piece keeps its end, and the contact pulls from the zero on: at most by this
/// fraction of the force that it had. The way that this makes is of the third order in the fraction. With
/// less, a contact that lets go at the end of a piece would shorten it once more by rounding.
pub(crate) const LETS_GO_EARLY: f64 = 1e4;

/// Of the largest acceleration: a smaller force that falls to zero does not end a piece.
///
/// Where a cluster has more contacts than it needs its forces are not unique, and one that is all but 0 falls
/// to zero soon after each beginning: pieces would get ever shorter, a hundred times as many in heaps of 40.
/// The contact opens later by what so small a force holds back.
pub(crate) const LETS_GO_FORCE: f64 = 1e-3;

/// Of a piece: how near its end must be to the stop of a disc. Some thousand ulp, which the iteration
/// reaches; the velocity that is left is set to 0.
pub(crate) const STOP_FOUND: f64 = 1e-12;

/// Of a piece: discs that stop so little after its end stop at it.
///
/// Discs of a row stop together, to rounding. Each would else have a piece of its own of 10⁻⁹ of the time.
pub(crate) const STOPS_TOGETHER: f64 = 1e-9;

/// Of a piece: by how much later than its end a disc may stop for the piece to be made longer.
///
/// Stops move as accelerations are found, so one just after the end is taken in. A later one has a piece of
/// its own.
pub(crate) const STOPS_LATER: f64 = 1e-2;

/// Of the size: the largest relative way in a piece that is as good as an instant. Its normals are those of
/// its beginning, to 10⁻⁶, and it needs no iteration.
pub(crate) const INSTANT_WAY: f64 = 1e-6;

/// A velocity that is this many times what a piece changes it by keeps its direction: its friction is that of
/// the instant, to 10⁻⁸. The way of the piece would lose it in rounding, as it adds `2v/T` to accelerations.
pub(crate) const KEEPS_DIRECTION: f64 = 1e8;

/// Of the fastest relative speed over the time of a piece: what rounding leaves of accelerations in it.
/// Pieces as short as friction makes them converge to no less.
pub(crate) const SLIP_ROUNDING: f64 = 32.0 * f64::EPSILON;

// Friction of the ground: accelerations in `f64`.

/// Of the largest acceleration: what rounding leaves of a condition. More than [`ROUNDING`], as forces
/// between discs that stick are found with a softness that magnifies it.
pub(crate) const GROUND_ROUNDING: f64 = 256.0 * f64::EPSILON;

/// Of the largest acceleration: by how much more than its grip a disc may need to be held, and how slow one
/// is that sticks for sure.
///
/// A row of 40 on the edge of moving is decided right to this. With less the rounding of a sum over the row
/// decides.
pub(crate) const HELD_BY_GRIP: f64 = 1e-11;

/// Of the diagonal: the softness of contacts in the search from the interior with friction.
///
/// What a pressed disc gives way by must not look like motion, 2⁻⁴² = 2·10⁻¹³ against [`HELD_BY_GRIP`]. With
/// [`SOFTNESS`] the search would find discs that move with the contacts that hold them.
pub(crate) const HARD: f64 = 1.0 / (1u64 << 42) as f64;

/// Of what friction has to spare, per unit of mass: a body whose acceleration along its way is less sticks
/// for sure after the search, in which the two fall together.
pub(crate) const CLEARLY_STICKS: f64 = 1e-3;

/// Of the largest acceleration: below it, the search has not decided whether a body sticks or moves. Newton's
/// method lets it stick if it would turn back, and needs as much more than the grip to let it go again.
pub(crate) const UNDECIDED: f64 = 1e-6;

/// Of the largest force: a smaller one between two bodies that the ground holds counts as 0. The search
/// leaves this much at contacts that do not press, and such forces are not unique anyway.
pub(crate) const LEAST_FORCE_ON_GROUND: f64 = 1e-6;

/// Of the largest acceleration: a solution at which a contact closes faster is refused, and the piece is
/// shortened. The same trade-off as [`F64_WRONG`].
pub(crate) const WRONG_ON_GROUND: f64 = 1e-6;

/// The mean product that ends the search with friction, of the square of the largest acceleration. Then the
/// larger factor of each product tells the side to 10⁻⁹.
pub(crate) const GROUND_CONVERGED: f64 = 1e-18;

/// The same, of the square of the smallest grip where that is less: a weak friction is to be told from none.
pub(crate) const GRIP_CONVERGED: f64 = 1e-12;

/// The least mean product, of the square of the largest acceleration: below it `f64` has no digits left for
/// the smaller factor, and grips of less than 10⁻⁶ of the accelerations are decided by Newton's method alone.
pub(crate) const LEAST_CONVERGED: f64 = 1e-24;
