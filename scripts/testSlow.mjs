// `npm run test:slow -- [--seeds=1,2] [--failing] [spec ...]`: runs browser tests on a slow network
// (scripts/slowNetwork.mjs). With `--failing`, some calls fail as well.

import { compareWithFast, recordFast, walkSlowly } from "./slowNetwork.mjs";

const words = process.argv.slice(2);
const seedWord = words.find((word) => word.startsWith("--seeds="))?.slice("--seeds=".length) ?? "1";
const seeds = seedWord.split(",").map(Number);
const fails = words.includes("--failing");
const specs = words.filter((word) => !word.startsWith("--"));

console.log("== on a fast network, for comparison ==");
const fastCode = await recordFast(specs);
console.log("\n== on a slow network ==");
const failed = await walkSlowly(seeds, specs, { fails });
const failures = (fastCode === 0 ? 0 : 1) + failed + compareWithFast(seeds, specs);
console.log(failures === 0 ? "slow network: same result as on a fast one" : `slow network: ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
