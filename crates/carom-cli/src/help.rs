//! What the help of the larger commands says after their options.

pub(crate) const RUN_HELP: &str = "\
Examples:
  carom run nine-ball-discs --picture break.png
  carom run nine-ball-discs --movie break.gif --speed 0.5
  carom run gas-mixing --until 10 --states states.jsonl --every 0.5
  carom run gas-mixing --until 10 --states frames.xyz --every 0.5
  carom run box-1000 --events - --max-events 1000 | head -3
  carom run box-1000 --events walls.jsonl --only wall --events-from 2
  carom run box-1000 --events tenth.jsonl --disc 0 --disc 1 --sample 10
  carom run gas.toml --until 1000 --save gas.carom --save-every 10
  carom run --resume gas.carom --until 2000 --save gas.carom
  carom run gas.toml --picture order.png --colour hexatic --width 3000

An event is one entry of the world's queue: mostly an impact, which is one moment at
which discs touch each other or walls; a slide along a curved wall is a chain of
events, too, and so is the motion of discs that press on each other. An impact has
one contact for each pair that touches: mostly one, more where several discs meet at
the same moment.

The events file has one contact a line, in the order of time:
  time            in seconds
  t               the same exactly: [start of the epoch, offset]
  kind            \"disc\" or \"wall\"
  a, b            the discs, or a, wall, part: by their index in file order
  point, normal   where they touch; the unit vector from a to what it met
  impulse         along the normal
  group           a number that the contacts of one impact share
  before, after   the velocities: of a and b, or of a alone at a wall
and further kinds, with time and t:
  \"crushed\"       unstoppable bodies closed in on a disc, body, that had no room: by
                  gave way at what is against; impulse, velocity: what by lost of its
                  speed, and its velocity after it
  \"released\"      body, which had given way, goes on with its velocity
  \"stopped\"       friction has stopped body
  \"reached_limit\" body is at its speed_limit, and nothing accelerates it any more
  \"resumed\"       contacts have slowed body, and what accelerates it acts again
  \"held\"          a begins to press on b, or on wall, part; point, normal
  \"let_go\"        that contact ceases to be held
  \"growth_ended\"  growing discs had no room left
  \"entered\"       body enters a region, or the disc sensor; \"left\": it leaves it
  \"captured\"      body is taken off the plane, \"removed\": it is gone: by what it
                  met, none if a command takes it; \"wall_removed\": a wall is gone
  \"timer\"         a timer is due: note
  \"turned\"        the arm wall has arrived at its angle; \"wall_moved\": a wall has
                  arrived at its offset
  \"turn_blocked\"  it has no room to get there; \"wall_blocked\", \"move_blocked\": the
                  same of a wall, of a kinematic disc
  \"refused\"       a command could not be carried out: why
A line must pass all filters. What is sampled are impacts: contacts that share a
group are kept or left out together. --only leaves out all but contacts.

The states file has one disc a line, at the start and after every DT:
  time, t, index, position, velocity, acceleration where there are forces, and where
  there is roughness angle and angular_velocity, in radians, counterclockwise
A name that ends in .xyz asks for frames in the extended XYZ format instead, which OVITO
and ASE read: places, velocities, radii, masses, and the index of each disc as its id.

Numbers read back to the same bits.

By `--colour hexatic` the hue is six times the angle by which the lattice around a
disc is turned, and the strength |psi6|: the mean of exp(6i*angle) over the
directions to its neighbours, which are those in the Voronoi sense. By
`--colour neighbours` discs with five neighbours are red, with seven blue, six
grey, others yellow.

A saved run holds the world and its scene. It goes on to the last bit as if it
had never stopped: with the same filters the events file that is added to is that
of one run. Lines are not added to a file that goes on beyond the saved run.

Pictures, movies and saved runs are written under another name and take their
place whole. Ctrl-C ends a run where it is: what was asked for is written up to
there. A second one ends the program and leaves the files that were there.";

/// What `PLACE` and `SIDE,HEIGHT` are.
macro_rules! balls_help {
    () => {
        "\
A PLACE is X,Y, or frozen:BALL@DEGREES: the ball touches another one, which the rack, --cue or
an earlier --ball has put there, and lies in this direction from it, counter-clockwise from
the x axis; or frozen:cushion@X,Y: it touches the nearest cushion, at the point of that
which is nearest to X,Y.

--english SIDE,HEIGHT is as seen from behind the cue, in radii of the ball: SIDE from -0.5,
left english, to 0.5, right english; HEIGHT from -0.5, draw or back spin, to 0.5, follow or
top spin. Beyond half a radius off the centre the tip slips off."
    };
}

pub(crate) const AIM_HELP: &str = concat!(
    "\
Examples:
  carom aim pool-9ft --cue 0.6,0.6 --ball 1=0.9,1.9 --ball 2=0.3,1.2
  carom aim pool-9ft --ball 1=0.9,1.9 --ball 2=0.7,1.1 --pot 1 --first 1
  carom aim my-table.toml --skill 3 --picture best.png
  carom aim pool-9ft --cue 0.3,0.9 --ball 1=0.8,1.5 --banks 2 --speed 4

Each line is a shot. made: how often it succeeds when it is played with errors of the
player. error: the standard error of that share, from the number of tries alone: two times
out of three the true share is no further away, and twice as far 19 times out of 20; with
four times the tries it halves. So two shots whose shares differ by less than their errors
are equally good. tries: how often it has been played; good shots are played more often.
pocket: 0 lower left, 1 left, 2 upper left, 3 lower right, 4 right, 5 upper right. how:
straight, along a rail, bank (the ball off a cushion), kick (the cue ball off a cushion),
combination, carom; or, with several cushions or balls, how many cushions the cue ball
meets before its first ball (kick), how many the ball meets, jaws and facings among them
(bank), and the balls that take part (by). aim: the direction in degrees from the x axis.
speed: of the cue in m/s. english: where the tip meets the ball.
clear: the elevation in degrees from which nothing is in the way of the cue: where it is
more than --elevation the shot cannot be played as it is listed, and with a butt that is lifted
further it goes elsewhere. cut: the angle between the way of what meets the ball and its own.
margin: by how many degrees the ball may leave to either side of the middle of its way.
`carom shot` with the same balls, --angle, --speed, --english and --elevation plays it.

",
    balls_help!()
);

pub(crate) const SHOT_HELP: &str = concat!(
    "\
Examples:
  carom shot pool-9ft --cue 0.635,0.635 --ball 8=0.635,1.9 --speed 3 --english 0,-0.4 --elevation 5
  carom shot carom-10ft --rack three-cushion --angle 97.5 --speed 4 --english 0.3,0.2 --elevation 3
  carom shot draw-shot --english 0,-0.4 --movie draw.gif
  carom shot pool-9ft --rack 8-ball --ball 8=0.4,0.9 --speed 8 --elevation 5 --strip break.png --numbers
  carom shot stop-shot --paths paths.csv
  carom shot pool-9ft --rack 9-ball --speed 9 --vary angle=88..92 --count 200
  carom shot masse-shot --vary speed=3.5..5 --vary angle=85..95 --count 10000 --map masse.png
  carom shot pool-9ft --cue 0.5,0.09 --ball 1=0.47,0.04 --vary side=-0.35..0.35 --vary height=-0.35..0.35 \\
    --measure elevation --map free.png
  carom shot stop-shot --vary angle=45~0.3 --vary speed=2.5~0.1 --count 5000 --csv shots.csv

",
    balls_help!(),
    "

Each line that is printed has a ball after an event: speed in m/s; top, its spin about the
axis across its way in rad/s, above 0 for top spin and below 0 for back spin; side, that
about the vertical, above 0 as right english gives it; spin, that about all axes.

--paths writes one piece of a path a line: the ball, when the piece begins and ends in
seconds since the stroke, the motion, and at its beginning the position x, y, the velocity
vx, vy and the spin wx, wy, wz; ax, ay is the acceleration, the same on the whole piece.
The ball is at x + vx t + ax t*t/2, y + vy t + ay t*t/2 a time t after the beginning. As
CSV, or as JSON Lines if the name ends in .jsonl.

--vary NAME=FROM..TO plays many shots, evenly spread over the range: in the middles of
N equal parts of one range, of cells of two. NAME=MEAN~DEVIATION draws from a normal
distribution, for the spread of a player; with one of these, or three ranges and more, all
is drawn at random by the seed. Names: speed, angle, elevation (as the options), side and
height (as --english), x and y (as --cue). What falls how often is printed.

--csv writes one shot a line: the values, the balls that fall and their pockets, the first ball hit, the
cushions that the cue ball meets, whether it falls, whether it meets two balls, and after
three cushions, how long it takes, and where the cue ball comes to rest.

--map draws what comes of two ranges. --measure says what it shows: potted (how many
object balls), scratch, cushions (of the cue ball), carom, three-cushion, duration,
elevation (from how many degrees on nothing is in the way of the cue, which with side and
height shows where the tip can reach the ball), or for one ball falls:LABEL or first:LABEL
(the first that is hit).

The results are the same for any number of threads."
);
