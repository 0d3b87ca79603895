// `npm run test:slow -- [--seeds=1,2] [--failing] [spec ...]`: the browser walks on a slow network (scripts/slowNetwork.mjs),
// with `--failing` on one where calls fail as well.

import { recordFast, walkSlowly } from "./slowNetwork.mjs";

const words = process.argv.slice(2);
const seeds = words.find((word) => word.startsWith("--seeds="))?.slice("--seeds=".length) ?? "1";
const fails = words.includes("--failing");
const specs = words.filter((word) => !word.startsWith("--"));

console.log("== on a fast network, to compare with ==");
const fastCode = await recordFast(specs);
console.log("\n== on a slow network ==");
const failures = (fastCode === 0 ? 0 : 1) + (await walkSlowly(seeds.split(",").map(Number), specs, { fails }));
console.log(failures === 0 ? "slow network: all as on a fast one" : `slow network: ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
