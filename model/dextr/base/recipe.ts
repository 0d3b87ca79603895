/** The numbers of the recipe. Training and product use the same. */

/** Side of the square that the network sees, where the manifest names no other. A multiple of 32. */
export const SIZE = 256;

/** Context around the box of the points, as a share of its long side: what the padding asks for, within these. */
export const REL_MIN = 0.1;
export const REL_MAX = 0.15;
/** Least context on each side, in image pixels. */
export const CONTEXT_MIN = 4;

/** Brightness (0 to 255) of what lies outside the image, and behind what is transparent. */
export const GREY = 127;

/** Width of the heat map's Gaussians (sigma), as a share of the square's side. */
export const SIGMA = 10 / 512;

/** The threshold (0 to 100) at which the network must be as sure as not, and the farthest probabilities it stands for. */
export const EVEN_THRESHOLD = 80;
export const PROBABILITY_MIN = 0.001;
export const PROBABILITY_MAX = 0.999;

/**
 * Cells nearer to the image's border than this are taken from further inside: in image pixels, or cells where those
 * are larger.
 */
export const BORDER_INSET = 1;

/**
 * Largest move of the found borders to where colours change, in pixels of half its square, and the
 * variance of colours (in -1..1) below which they stay.
 */
export const GUIDE_RADIUS = 2;
export const GUIDE_SOFTNESS = 0.004;

/** Pieces stay that have this share of the largest one's area, or come this near to a point (in cells of the square). */
export const PIECE_MIN = 0.1;
export const PIECE_REACH = 3;
/** Holes with a smaller share of their piece's area are filled. */
export const HOLE_MIN = 0.01;

/** Points of the outline that tell less than this are left out, in image pixels. */
export const TOLERANCE = 0.1;
