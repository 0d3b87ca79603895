/** Constants of the recipe. Training and product use the same ones. */

/** Side of the network's square input, unless the manifest has another one. A multiple of 32. */
export const SIZE = 256;

/** Context around the box of the points, as a share of its long side. */
export const CONTEXT = 0.1;
/** Smallest context on each side, in image pixels. */
export const CONTEXT_MIN = 4;

/** Brightness (0 to 255) outside the image and behind transparent pixels. */
export const GREY = 127;

/** Width of the heat map's Gaussians (sigma), as a share of the square's side. */
export const SIGMA = 10 / 512;
/** Height of the Gaussians at the middles of a box's sides; those at points on the border are 1 high. */
export const BOX_HEIGHT = 0.5;

/**
 * The threshold (0 to 100) that means a probability of one half, and the limits of the probabilities for thresholds.
 */
export const EVEN_THRESHOLD = 80;
export const PROBABILITY_MIN = 0.001;
export const PROBABILITY_MAX = 0.999;

/**
 * Cells nearer to the image's border than this get their values from cells further inside: in image pixels, or in cells
 * if cells are larger.
 */
export const BORDER_INSET = 1;

/**
 * Largest move of borders to where colours change, in pixels of the half-size square, and the variance of colours (in
 * -1..1) below which borders are not moved.
 */
export const GUIDE_RADIUS = 2;
export const GUIDE_SOFTNESS = 0.004;

/**
 * Probability that a correction has at least where it says that the object is; distance in cells up to which it
 * holds; distance from which its effect fades; and how much longer a step is by the difference of colours (in -1..1).
 */
export const OBEYED = 0.73;
export const OBEY_REACH = 96;
export const OBEY_CORE = 1.5;
export const OBEY_COLOUR = 16;

/**
 * Share of the largest piece's area from which a piece is kept, and distance to a point (in cells) up to which it is
 * kept.
 */
export const PIECE_MIN = 0.1;
export const PIECE_REACH = 3;
/** Holes smaller than this share of the largest piece's area are filled, unless a correction removed them. */
export const HOLE_MIN = 0.01;

/** Tolerance for simplifying the outline, in image pixels. */
export const TOLERANCE = 0.1;
