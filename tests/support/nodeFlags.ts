/** True in unit, server and browser tests, false in benchmarks. */
const isTest = process.env.VITEST !== undefined || process.env.TEST_WORKER_INDEX !== undefined;

/**
 * Options of Node for programs that tests and benchmarks start. Programs of tests end within seconds or minutes, so
 * optimizing PGlite's WebAssembly does not pay: it takes 40 % of the CPU time of a server's start. Benchmarks run the
 * server like `npm start` does.
 */
export const NODE_FLAGS = ["--enable-source-maps", ...(isTest ? ["--liftoff-only"] : [])];
