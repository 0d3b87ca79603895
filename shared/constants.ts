/** Numbers fixed by the specification (§9), and those that client and server must agree on. */

export const PAGE_SIZE = { datasets: 52, categories: 50, images: 52 } as const;
export const PAGER_WINDOW = 11;
/** Characters; an installation may require more (PASSWORD_MIN). */
export const PASSWORD_MIN = 5;
/** Limits offered for the lists of users and of the trash; the first is the default. */
export const LIST_LIMITS = [50, 100, 500, 1000] as const;

/** Default maximum number of images to add per keyword. */
export const GENERATE_LIMIT = 100;

/** Largest number of categories in one call. */
export const MAX_CATEGORIES = 20_000;

/** Widths in pixels. */
export const THUMBNAIL_WIDTH = 250;
export const MAX_IMAGE_WIDTH = 2048;

export const CATEGORY_SEARCH_ABOVE = 5;

/** Zoom is screen pixels per image pixel. */
export const ZOOM = { min: 0.01, max: 10, step: 0.2, fitWidth: 0.95, fitHeight: 0.8 } as const;
export const SHAPE_OPACITY = 0.6;

/** Distances in image pixels, from the specification. */
export const POLYGON = {
  completeDistance: 5,
  minDistance: 2,
  minPointsOnClick: 3,
  minPointsOnDrag: 30,
  samplingRadius: 10,
  guidance: true,
} as const;
/** Brightness (0 to 255) of the image above which a stroke on it is black. */
export const BLACK_OR_WHITE_ABOVE = 186;

/** Tolerance for simplifying drawn shapes, in image pixels. */
export const SIMPLIFY = { default: 1, min: 0, max: 100 } as const;
/** Area in square image pixels below which pieces left by the eraser are dropped. */
export const ERASER_MIN_AREA = 10;
/** Radius in image pixels; the keys change it by `step`. */
export const BRUSH = { radius: 30, step: 2, maxRadius: 1000 } as const;
/** Threshold: largest difference of each colour channel, 0 to 255. Blur: radius in image pixels. */
export const MAGIC_WAND = { threshold: 30, blur: 40, max: 1000 } as const;
/** Sizes in screen pixels; `visibility` of a new keypoint. */
export const KEYPOINT = { radius: 6, line: 2, visibility: 2 } as const;

export const CONNECTION_LOST_DELAY_MS = 1000;
export const TASK_RESET_DELAY_MS = 1000;

export const SIDEBAR = { minPx: 150, maxShare: 0.5, defaultShare: 0.2 } as const;

export const ORDERS = ["file_name", "id", "path"] as const;

/** Largest id of a PostgreSQL integer column. */
export const MAX_ID = 2_147_483_647;
/** Largest number of coordinates (single numbers) in one annotation. */
export const MAX_COORDINATES = 200_000;
/** Deepest nesting of JSON that the server accepts. */
export const MAX_JSON_DEPTH = 32;
/** Largest number of edits in one batch. */
export const MAX_EDITS = 500;
/** Largest number of edits whose uuids a scene has. */
export const MAX_SCENE_EDITS = 10_000;
/** Largest number of earlier edits that an edit may name as known. */
export const MAX_KNOWN_EDITS = 100;

/** The 32 colours given to new keypoint labels, in order. */
export const KEYPOINT_PALETTE = [
  "#bf5c4d",
  "#d99100",
  "#4d8068",
  "#0d2b80",
  "#9c73bf",
  "#ff1a38",
  "#bf3300",
  "#736322",
  "#33fff1",
  "#3369ff",
  "#9d13bf",
  "#733941",
  "#ffb499",
  "#d0d957",
  "#0b5e73",
  "#0000ff",
  "#730b5e",
  "#ff8533",
  "#518c0e",
  "#82c7d9",
  "#0000d9",
  "#ff1ab3",
  "#733c17",
  "#7cff4d",
  "#1ab3ff",
  "#0000cc",
  "#cc0052",
  "#cc9c66",
  "#8ae6a2",
  "#335280",
  "#0000bf",
  "#e673a1",
] as const;

/**
 * DEXTR settings. Padding: image pixels around the box of the extreme points. Threshold: required certainty of the
 * model; 80 is a probability of one half. More: further points on the object's border.
 */
export const DEXTR = {
  padding: 50,
  maxPadding: 1000,
  threshold: 80,
  maxThreshold: 100,
  points: 4,
  maxMore: 16,
  /** Limit on corrections of each kind in a call. */
  maxCorrections: 100,
} as const;

/** Time limit for calls about the session, in milliseconds; after it the server counts as unreachable. */
export const SESSION_TIMEOUT_MS = 8_000;
