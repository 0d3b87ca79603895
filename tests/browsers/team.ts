import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import type { LiveServer } from "../support/liveServer";
import { loadPhotographs } from "../support/photographs";
import { TestClient } from "../support/testClient";
import { KEYS, type Place, until } from "./browserPage";
import type { StartedBrowser } from "./engines";
import { isIn, makeAvailable } from "./offline";
import { addImages, type ChosenFile, chooseTool, imageIsShown, logIn, press } from "./steps";

/** The users of a team, each with a browser. */
export const TEAM = ["olga", "ann", "ben", "rita", "vic"] as const;
export type Member = (typeof TEAM)[number];
export type Team = Record<Member, StartedBrowser>;

const PASSWORD = "correct horse";
const PHOTOGRAPHS = 60;
/** Pages of other browsers may be slow while five are open. */
const SECONDS = 60;

const listed = z.object({
  images: z.array(
    z.object({
      id: z.number(),
      file_name: z.string(),
      stage: z.string(),
      assignee: z.string().nullish(),
      num_annotations: z.number(),
      open_threads: z.number().default(0),
    }),
  ),
});

/**
 * Five users work through sixty photographs at once, each in a browser: the owner assigns them, two annotators take
 * them from the queue and submit them, also without a server; the reviewer returns one with a comment and accepts it
 * later; the viewer only looks. `folder` receives the scenes that are drawn if there are no photographs.
 */
export async function teamWalk(team: Team, server: LiveServer, folder: string): Promise<void> {
  const script = await registerAll(server.url);
  for (const name of TEAM) await logIn(team[name].page, team[name].url, name);
  const dataset = await makeDataset(team.olga, folder);
  await share(script, dataset);
  await assign(team.olga, dataset);
  const list = async (query = "") => {
    const { body } = await script.get(`dataset/${dataset}/data?limit=100${query}`);
    return new Map(listed.parse(body).images.map((image) => [image.file_name, image]));
  };
  for (const name of ["ann", "ben"]) assert.equal((await list(`&assignee=${name}`)).size, PHOTOGRAPHS / 2);

  const submitted = await Promise.all(
    [team.ann, team.ben].map(async (browser) => {
      await startQueue(browser, dataset);
      return [await annotateAndSubmit(browser), await annotateAndSubmit(browser)];
    }),
  );
  await waitFor(async () => (await list("&stage=to_review")).size === 4);
  assert.deepEqual([...(await list("&stage=to_review")).keys()].toSorted(), submitted.flat().toSorted());
  console.log("Assigned, annotated and submitted.");

  const [returned = ""] = submitted[0] ?? [];
  const { id } = (await list()).get(returned)!;
  await returnWithComment(team.rita, id);
  await waitFor(async () => {
    const image = (await list()).get(returned);
    return image?.stage === "returned" && image.open_threads === 1 && image.assignee === "ann";
  });
  await correct(team.ann, returned);
  await waitFor(async () => {
    const image = (await list()).get(returned);
    return image?.stage === "to_review" && image.num_annotations === 2;
  });
  await openForReview(team.rita, id);
  await press(team.rita.page, "Accept");
  await waitFor(async () => (await list()).get(returned)?.stage === "accepted");
  await look(team.vic, dataset, returned);
  console.log("Returned with a comment, corrected and accepted.");

  const alone = await workAlone([team.ann, team.ben], server, dataset);
  await waitFor(async () => (await list("&stage=to_review")).size === 3 + alone.length);
  for (const name of alone) assert.equal((await list()).get(name)?.num_annotations, 1);
  const all = [...(await list()).values()];
  const drawn = all.reduce((sum, image) => sum + image.num_annotations, 0);
  assert.equal(drawn, 5 + alone.length);
  console.log(`${alone.length} images were submitted without a server, and arrived once.`);
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + SECONDS * 1000;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`Not true after ${SECONDS} s: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Registers all users. Returns a script that is signed in as the owner. */
async function registerAll(url: string): Promise<TestClient> {
  const [script, ...others] = TEAM.map(() => new TestClient(url));
  for (const [n, client] of [script!, ...others].entries()) {
    const { status } = await client.post("user/register", { username: TEAM[n], password: PASSWORD });
    assert.equal(status, 200);
  }
  return script!;
}

/** Creates the dataset with its photographs on the owner's page. Returns its id. */
async function makeDataset({ page, url }: StartedBrowser, folder: string): Promise<number> {
  const { files } = await loadPhotographs(folder);
  const chosen = Array.from({ length: PHOTOGRAPHS }, (_, n): ChosenFile => {
    const file = files[n % files.length]!;
    return { name: `${n}-${basename(file)}`, type: "image/jpeg", content: readFileSync(file) };
  });
  const body = JSON.stringify({ name: "Harbour", categories: ["boat"] });
  const made = await page.evaluate(`fetch("${url}api/dataset/", {
    method: "POST", headers: { "X-Requested-With": "fetch", "Content-Type": "application/json" },
    body: ${JSON.stringify(body)} }).then((response) => response.json())`);
  const { id } = z.object({ id: z.number() }).parse(made);
  await page.goto(`${url}dataset/${id}`);
  await addImages(page, chosen, SECONDS);
  return id;
}

async function share(script: TestClient, dataset: number): Promise<void> {
  const roles = { ann: "annotator", ben: "annotator", rita: "reviewer", vic: "viewer" };
  const shared = await script.post(`dataset/${dataset}/share`, { users: Object.keys(roles), roles });
  const changed = await script.post(`dataset/${dataset}`, { review: true });
  assert.deepEqual([shared.status, changed.status], [200, 200]);
}

/** Selects all images on the dataset's page and assigns them to the annotators in equal shares. */
async function assign({ page, url }: StartedBrowser, dataset: number): Promise<void> {
  await page.goto(`${url}dataset/${dataset}`);
  await until(page, `document.querySelector("article input[type=checkbox]") !== null`, SECONDS);
  await page.evaluate(`document.querySelector("article input[type=checkbox]").click()`);
  await press(page, `Select all ${PHOTOGRAPHS}`);
  await press(page, "Assign");
  const members = `document.querySelector("[role=dialog] input[role=combobox]")`;
  await until(page, `${members} !== null`);
  await page.evaluate(`${members}.focus()`);
  for (const name of ["ann", "ben"]) {
    await page.keys([...name]);
    const option = `[...(document.getElementById(${members}.getAttribute("aria-controls"))?.querySelectorAll("[role=option]") ?? [])]
      .find((each) => each.textContent === "${name}")`;
    await until(page, `${option} !== undefined`);
    await page.evaluate(`${option}.click()`);
  }
  await press(page, "Assign", "[role=dialog]");
  await until(page, `document.querySelector("[role=dialog]") === null`, SECONDS);
}

async function startQueue({ page, url }: StartedBrowser, dataset: number): Promise<void> {
  await page.goto(`${url}dataset/${dataset}`);
  await press(page, "Work on the next image");
  await until(page, `location.search.includes("queue=true")`, SECONDS);
  await imageIsShown(page, SECONDS);
}

const IMAGE = `document.querySelector('[role=application][aria-label^="Image "]')`;

/** Returns the file name of the open image. */
async function shownName({ page }: StartedBrowser): Promise<string> {
  await until(page, `${IMAGE} !== null`, SECONDS);
  return z.string().parse(await page.evaluate(`${IMAGE}.getAttribute("aria-label").slice("Image ".length)`));
}

/** Returns a function from fractions of the open image's width and height to places on the page. */
async function frameOf({ page }: StartedBrowser): Promise<(x: number, y: number) => Place> {
  await imageIsShown(page, SECONDS);
  const [left, top, width, height] = z.array(z.number()).parse(
    await page.evaluate(`(() => {
      const { left, top, width, height } = document.querySelector(".annotator-image").getBoundingClientRect();
      return [left, top, width, height];
    })()`),
  ) as [number, number, number, number];
  return (x, y) => ({ x: left + x * width, y: top + y * height });
}

async function drawBox(browser: StartedBrowser, corner: number): Promise<void> {
  const at = await frameOf(browser);
  await chooseTool(browser.page, "BBox", "r");
  await browser.page.drag([at(corner, corner), at(corner + 0.1, corner + 0.1), at(corner + 0.2, corner + 0.15)]);
}

/** Draws a box on the open image and submits the image. Returns its name. */
async function annotateAndSubmit(browser: StartedBrowser): Promise<string> {
  const name = await shownName(browser);
  await drawBox(browser, 0.3);
  await browser.page.keys([KEYS.enter], [KEYS.control]);
  await until(browser.page, `${IMAGE}?.getAttribute("aria-label") !== ${JSON.stringify(`Image ${name}`)}`, SECONDS);
  await shownName(browser);
  return name;
}

async function openForReview({ page, url }: StartedBrowser, image: number): Promise<void> {
  await page.goto(`${url}annotate/${image}?stage=to_review`);
  await imageIsShown(page, SECONDS);
}

async function returnWithComment(browser: StartedBrowser, image: number): Promise<void> {
  const { page } = browser;
  await openForReview(browser, image);
  const at = await frameOf(browser);
  await page.keys(["y"]);
  await until(page, `document.querySelector('[aria-label="Place of the comment"]') !== null`);
  await page.drag([at(0.4, 0.35)]);
  await until(page, `document.activeElement?.matches("textarea")`);
  await page.keys([..."The mast is missing."]);
  await page.keys([KEYS.enter], [KEYS.control]);
  await until(page, `document.querySelector('[aria-label="Thread 1"]')?.textContent.includes("The mast is missing.")`);
  await page.keys([KEYS.escape]);
  await press(page, "Return");
}

/** Finds the returned image and its comment under My Work, draws what is missing, and submits it again. */
async function correct(browser: StartedBrowser, returned: string): Promise<void> {
  const { page, url } = browser;
  await page.goto(`${url}work`);
  await until(page, `document.body.innerText.includes("rita: The mast is missing.")`, SECONDS);
  await press(page, "Continue");
  await until(page, `${IMAGE}?.getAttribute("aria-label") === ${JSON.stringify(`Image ${returned}`)}`, SECONDS);
  await drawBox(browser, 0.6);
  await page.keys([KEYS.enter], [KEYS.control]);
  await until(page, `${IMAGE}?.getAttribute("aria-label") !== ${JSON.stringify(`Image ${returned}`)}`, SECONDS);
}

/** The viewer sees that the image was accepted, and is offered no work. */
async function look({ page, url }: StartedBrowser, dataset: number, accepted: string): Promise<void> {
  await page.goto(`${url}dataset/${dataset}?stage=accepted`);
  const card = `[...document.querySelectorAll("article")].map((each) => each.textContent)`;
  await until(
    page,
    `${card}.some((text) => text.includes(${JSON.stringify(accepted)}) && text.includes("Accepted"))`,
    SECONDS,
  );
  assert.equal(await page.evaluate(`document.body.innerText.includes("Work on the next image")`), false);
}

/**
 * The annotators submit images while the server is stopped: those with a copy of the dataset two, the others the open
 * one. Returns the names of all.
 */
async function workAlone(browsers: readonly StartedBrowser[], server: LiveServer, dataset: number): Promise<string[]> {
  const copied: boolean[] = [];
  for (const browser of browsers) {
    copied.push(await makeAvailable(browser.page, `${browser.url}dataset/${dataset}`));
    await startQueue(browser, dataset);
    await until(browser.page, isIn("saved"), SECONDS);
  }
  await server.kill();
  const names = await Promise.all(
    browsers.map(async (browser, n) => {
      if (copied[n]) return [await annotateAndSubmit(browser), await annotateAndSubmit(browser)];
      const name = await shownName(browser);
      await drawBox(browser, 0.3);
      await browser.page.keys([KEYS.enter], [KEYS.control]);
      return [name];
    }),
  );
  for (const { page } of browsers) await until(page, `(${isIn("offline")}) || (${isIn("saved here")})`, SECONDS);
  await server.start();
  for (const { page } of browsers) await until(page, isIn("saved"), SECONDS);
  return names.flat();
}
