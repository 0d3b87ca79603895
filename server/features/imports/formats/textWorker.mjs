// @ts-check
// The thread of long texts. A thread gets no TypeScript loader of its own, so this brings one and goes on in textWork.ts.

import { register } from "tsx/esm/api";

register();
await import("./textWork.ts");
