// @ts-check
// Preloaded into a measured server: writes, ten times a second, the longest time in milliseconds that its event loop
// was blocked since the file LOOP_DELAY_FILE was last removed.

import { existsSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOOP_DELAY_FILE;
if (isMainThread && file) {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  setInterval(() => {
    if (!existsSync(file)) histogram.reset();
    writeFileSync(file, String(histogram.max / 1e6));
  }, 100).unref();
}
