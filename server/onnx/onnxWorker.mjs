// @ts-check
// The network's thread. A thread gets no TypeScript loader of its own, so this brings one and goes on in work.ts.

import { register } from "tsx/esm/api";

register();
await import("./work.ts");
