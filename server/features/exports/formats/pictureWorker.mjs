// @ts-check
// The thread of pictures' files. A thread gets no TypeScript loader of its own, so this brings one and goes on in pictureWork.ts.

import { register } from "tsx/esm/api";

register();
await import("./pictureWork.ts");
