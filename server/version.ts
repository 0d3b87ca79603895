import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

/** Of this installation, as package.json says it. */
export const VERSION = version;
