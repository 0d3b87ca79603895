// @ts-check
// A thread that runs a module from its TypeScript source: a thread gets no loader of its own, so this brings one.

import { register } from "tsx/esm/api";

register();
await import(process.argv[2] ?? "");
