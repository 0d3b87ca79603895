/** Time for what a busy machine may delay, in milliseconds. Only failing tests reach it. */
export const PATIENCE_MS = 600_000;
