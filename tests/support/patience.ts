/** Time for what a busy machine may delay, in milliseconds. Only failing tests reach it. */
export const PATIENCE_MS = 600_000;

/** Time limits of DEXTR, for tests of something else. */
export const DEXTR_PATIENCE = { limitMs: PATIENCE_MS, openingMs: PATIENCE_MS };
