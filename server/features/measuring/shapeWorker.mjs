// @ts-check
// The thread of shapes. A thread gets no TypeScript loader of its own, so this brings one and goes on in shapeWork.ts.

import { register } from "tsx/esm/api";

register();
await import("./shapeWork.ts");
