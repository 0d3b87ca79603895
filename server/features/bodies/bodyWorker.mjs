// @ts-check
// The thread of large bodies. A thread gets no TypeScript loader of its own, so this brings one and goes on in bodyWork.ts.

import { register } from "tsx/esm/api";

register();
await import("./bodyWork.ts");
