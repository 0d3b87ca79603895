// @ts-check
// A thread that runs a module from its TypeScript source. Threads do not inherit a loader, so this registers one.

import { register } from "tsx/esm/api";

register();
await import(process.argv[2] ?? "");
