import { keepPgliteCompiled } from "./compiledPglite";

// Run before each test file; compiles only in the first one of each worker.
await keepPgliteCompiled();
