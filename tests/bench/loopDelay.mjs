// @ts-check Preloaded into a measured server: writes the longest time in milliseconds that its event loop was blocked
// since the file LOOP_DELAY_FILE was last removed. Looks ten times a second, and writes only a new maximum, because
// writing blocks the loop too.

import { existsSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOOP_DELAY_FILE;
if (isMainThread && file) {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  let written = -1;
  setInterval(() => {
    if (!existsSync(file)) {
      histogram.reset();
      written = -1;
    }
    if (histogram.max <= written) return;
    written = histogram.max;
    writeFileSync(file, String(written / 1e6));
  }, 100).unref();
}
