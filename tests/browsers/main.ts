import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLiveServer } from "../support/liveServer";
import type { BrowserPage } from "./browserPage";
import { ENGINES, type Engine, type StartedBrowser } from "./engines";
import { prepareShortWalks, shortWalk } from "./shortWalk";
import { TEAM, type Team, teamWalk } from "./team";
import { walk } from "./walk";

/**
 * `npm run test:browsers -- [--short | --team] [name ...]`: walks through Limn in each browser of this machine, one
 * after the other, and says which it skipped. Names choose browsers: "firefox", "webkit". `--short` is the version for
 * `npm test`, which leaves out Chromium, because all other browser tests run there. `--team` is a walk of five users at
 * once, who share the browsers.
 */
async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const isShort = words.includes("--short");
  const names = words.filter((word) => !word.startsWith("--"));
  const isWanted = ({ name }: Engine) =>
    names.length === 0 ? !isShort || name !== "Chromium" : names.some((word) => name.toLowerCase().startsWith(word));
  const found = ENGINES.filter(isWanted).flatMap((engine) => {
    const program = engine.find();
    if (!program) console.log(`${engine.name}: SKIPPED, it was not found. ${engine.advice}`);
    return program ? [{ engine, program }] : [];
  });
  if (words.includes("--team")) await walkAsTeam(found);
  else if (isShort && found.length > 0) await walkShortly(found);
  else for (const each of found) await walkFully(each);
}

interface Found {
  engine: Engine;
  program: string;
}

/** Runs the whole walk with a new server. */
async function walkFully(found: Found): Promise<void> {
  const server = await startLiveServer();
  await walkIn(found, server.url, (browser) => walk(browser, server)).finally(() => server.remove());
}

/** Runs the short walk in all browsers with one server. */
async function walkShortly(all: readonly Found[]): Promise<void> {
  const server = await startLiveServer();
  try {
    const prepare = await prepareShortWalks(server.url);
    for (const found of all)
      await walkIn(found, server.url, async (browser) => shortWalk(browser, await prepare(found.engine.name)));
  } finally {
    await server.remove();
  }
}

/** Runs the walk of a team. The browsers are given to its members in turn. */
async function walkAsTeam(found: readonly Found[]): Promise<void> {
  const start = Date.now();
  const folder = mkdtempSync(join(tmpdir(), "limn-team-"));
  const server = await startLiveServer();
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), () => server.remove()];
  try {
    const browsers: [string, StartedBrowser][] = [];
    for (const [n, name] of TEAM.entries()) {
      const { engine, program } = found[n % found.length]!;
      const browser = await engine.start(program, join(folder, name), server.url);
      ends.push(() => browser.stop());
      browsers.push([name, browser]);
      console.log(`${name}: ${engine.name}`);
    }
    await teamWalk(Object.fromEntries(browsers) as Team, server, folder).catch(async (error: unknown) => {
      for (const [name, { page }] of browsers) console.log(name, await shownIn(page), await page.errors());
      throw error;
    });
    for (const [name, { page }] of browsers) {
      const errors = await page.errors();
      if (errors.length > 0) throw new Error(`Errors on the console of ${name}:\n${errors.join("\n")}`);
    }
    console.log(`Team of five: passed in ${Math.round((Date.now() - start) / 1000)} s.`);
  } catch (error) {
    console.error("Team of five: FAILED.", error);
    process.exitCode = 1;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Returns the address and the text of the page, for the report of a failure. */
const shownIn = (page: BrowserPage): Promise<unknown> =>
  page.evaluate(`location.href + "\\n" + document.body.innerText.slice(0, 2000)`).catch(String);

/** Starts a browser, walks, and prints the result. A failure sets the exit code. */
async function walkIn({ engine, program }: Found, url: string, work: (browser: StartedBrowser) => Promise<void>) {
  const start = Date.now();
  const folder = mkdtempSync(join(tmpdir(), "limn-browser-"));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const browser = await engine.start(program, folder, url);
    ends.push(() => browser.stop());
    await work(browser).catch(async (error: unknown) => {
      console.log(await shownIn(browser.page), await browser.page.errors());
      throw error;
    });
    const errors = await browser.page.errors();
    if (errors.length > 0) throw new Error(`Errors on the console:\n${errors.join("\n")}`);
    console.log(`${engine.name} (${program}): passed in ${Math.round((Date.now() - start) / 1000)} s.`);
  } catch (error) {
    console.error(`${engine.name} (${program}): FAILED.`, error);
    process.exitCode = 1;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

await main();
