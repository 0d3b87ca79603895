import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLiveServer } from "../support/liveServer";
import { BidiPage } from "./bidi";
import { findFirefox, startFirefox } from "./firefox";
import { walk } from "./walk";

/** Walks through Limn in browsers other than Chromium, in which all other tests run. Says what it skips. */
async function main(): Promise<void> {
  console.log("Safari's engine: SKIPPED, it is not driven here.");
  const program = findFirefox();
  if (!program) {
    console.log("Firefox: SKIPPED, none was found. Install firefox-esr, or set FIREFOX_BIN=/path/to/firefox.");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "limn-firefox-"));
  const ends: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const server = await startLiveServer({ DATA_DIR: join(folder, "data") }, { isFirstStart: true });
    ends.push(() => server.remove());
    const firefox = await startFirefox(program, folder);
    ends.push(() => firefox.stop());
    const page = await BidiPage.open(firefox.address);
    ends.push(() => page.close());
    await walk(page, server.url, firefox.downloads).catch(async (error: unknown) => {
      console.log(await page.evaluate(`location.href + "\\n" + document.body.innerText.slice(0, 2000)`), page.errors);
      throw error;
    });
    if (page.errors.length > 0) throw new Error(`Errors on the console:\n${page.errors.join("\n")}`);
    console.log(`Firefox (${program}): passed.`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

await main();
