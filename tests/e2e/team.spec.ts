import { randomUUID } from "node:crypto";
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { ImageSummary } from "../../shared/entities/image";
import { Desk, recordProblems } from "../support/annotatorDesk";
import { drawScene, renderScene } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/**
 * A team of five works through sixty photographs at once: the owner assigns, two annotators take images from the queue
 * and submit them, one of them also without a network, a reviewer returns and accepts, and a viewer only looks.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [240, 180];
const [SHARED, FREE] = [40, 20];

const problems: string[] = [];
let server: LiveServer;
let owner: Desk;
let ann: Desk;
let ben: Desk;
let rita: Desk;
let vic: Desk;
let dataset: number;
let imageOf: (file: string) => number;
/** The image that the reviewer returned. */
let returned: string;
/** The image on which both annotators have drawn. */
let ofBoth: string;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer({}, { isEmbedded: true });
  [owner, ann, ben] = [await open(browser, "olga"), await open(browser, "ann"), await open(browser, "ben")];
  [rita, vic] = [await open(browser, "rita"), await open(browser, "vic")];
  const files: Record<string, Buffer> = {};
  for (let n = 0; n < SHARED + FREE; n++)
    files[`${n < SHARED ? "a" : "b"}-${String(n).padStart(2, "0")}.png`] = await renderScene(
      drawScene(n, WIDTH, HEIGHT),
    );
  const made = await owner.dataset("Harbour", ["house"], files);
  [dataset, imageOf] = [made.id, made.image];
});
test.afterAll(async () => {
  for (const desk of [owner, ann, ben, rita, vic]) await desk?.page.context().close();
  await server?.remove();
});

async function open(browser: Browser, username: string): Promise<Desk> {
  const page = await (await browser.newContext({ serviceWorkers: "allow" })).newPage();
  recordProblems(page, problems);
  const desk = new Desk(page, server.url);
  await desk.register(username);
  return desk;
}

const cardOf = (page: Page, name: string) => page.getByRole("article", { name });
const stageOf = (page: Page) => page.getByRole("region", { name: "Stage", exact: true });
const shownName = async ({ page }: Desk) =>
  (await page.getByRole("application", { name: /^Image / }).getAttribute("aria-label"))!.slice("Image ".length);

/** Returns the images as a user's list shows them, by file name. */
async function listed(desk: Desk, query = ""): Promise<Map<string, ImageSummary>> {
  const { images } = await desk.api<{ images: ImageSummary[] }>("GET", `dataset/${dataset}/data?limit=100${query}`);
  return new Map(images.map((image) => [image.file_name, image]));
}

async function drawBox(desk: Desk, corner: number): Promise<void> {
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await desk.page.keyboard.press("r");
  await desk.drag([at(corner, corner), at(corner + 40, corner + 30)]);
}

/** Draws a box on the open image, submits the image, and waits for another. Returns the name of the submitted image. */
async function annotateAndSubmit(desk: Desk): Promise<string> {
  const name = await shownName(desk);
  await drawBox(desk, 30);
  await desk.page.keyboard.press("Control+Enter");
  await expect(desk.page.getByRole("application", { name: `Image ${name}` })).toBeHidden();
  await shownName(desk);
  return name;
}

/** Opens the first image of a user's queue from the dataset's page. */
async function start({ page, url }: Desk): Promise<void> {
  await page.goto(`${url}dataset/${dataset}`);
  await page.getByRole("button", { name: "Work on the next image" }).click();
  await expect(page).toHaveURL(/\?queue=true/);
}

test("the owner shares the dataset with roles, asks for review, and assigns two thirds evenly", async () => {
  const roles = { ann: "annotator", ben: "annotator", rita: "reviewer", vic: "viewer" };
  await owner.api("POST", `dataset/${dataset}/share`, { users: Object.keys(roles), roles });
  await owner.api("POST", `dataset/${dataset}`, { review: true });
  const { page } = owner;
  await page.goto(`${server.url}dataset/${dataset}?file_name__icontains=a-`);
  await cardOf(page, "a-00.png").getByRole("checkbox").check();
  await page.getByRole("button", { name: `Select all ${SHARED}` }).click();
  await page.getByRole("button", { name: "Assign", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Members").first().click();
  await expect(page.getByRole("option", { name: "vic" })).toHaveCount(0);
  for (const name of ["ann", "ben"]) await page.getByRole("option", { name, exact: true }).click();
  await dialog.getByText("Several members get equal shares").click();
  await dialog.getByRole("button", { name: "Assign", exact: true }).click();
  await expect(cardOf(page, "a-00.png").getByTitle(/^Assigned to (ann|ben)$/)).toBeVisible();
  for (const name of ["ann", "ben"]) expect((await listed(owner, `&assignee=${name}`)).size).toBe(SHARED / 2);
  expect((await listed(owner, "&assigned=false")).size).toBe(FREE);
});

test("two annotators take images from the queue and submit them, and the owner sees who has which", async () => {
  await Promise.all([start(ann), start(ben)]);
  const leased = await shownName(ann);
  await expect(cardOf(owner.page, leased).getByTitle("From the queue, with ann for now")).toBeVisible();
  const work = async (desk: Desk) => [await annotateAndSubmit(desk), await annotateAndSubmit(desk)];
  const [anns, bens] = await Promise.all([work(ann), work(ben)]);
  returned = anns[0]!;
  expect(returned).toBe(leased);
  await ann.saved();
  await ben.saved();
  expect(new Set([...anns, ...bens]).size).toBe(4);
  const all = await listed(rita, "&stage=to_review");
  expect([...all.keys()].toSorted()).toEqual([...anns, ...bens].toSorted());
  for (const name of anns) expect(all.get(name)).toMatchObject({ assignee: "ann", num_annotations: 1 });
});

test("an annotator skips images, and is offered them again when nothing else is left", async () => {
  const { page } = ann;
  const skip = stageOf(page).getByRole("button", { name: "Skip", exact: true });
  const skipped: string[] = [];
  for (let n = 0; n < 2; n++) {
    const name = await shownName(ann);
    await skip.click();
    await expect(page.getByRole("application", { name: `Image ${name}` })).toBeHidden();
    skipped.push(name);
  }
  const third = await shownName(ann);
  expect(new Set([...skipped, third]).size).toBe(3);
  const leases = await owner.api<{ username: string; file_name: string }[]>("GET", `dataset/${dataset}/leases`);
  expect(leases.filter(({ username }) => username === "ann").map(({ file_name }) => file_name)).toEqual([third]);
  expect((await listed(ann)).get(skipped[0]!)).toMatchObject({ stage: "open", num_annotations: 0 });
  // As after skipping every image.
  const ids = [...(await listed(ann)).values()].map(({ id }) => id);
  await page.evaluate(
    ([key, value]) => sessionStorage.setItem(key!, value!),
    [`limn.skipped ${dataset} ann`, JSON.stringify(ids)],
  );
  await skip.click();
  await page.getByRole("button", { name: "Go on with them" }).click();
  await expect(page.getByRole("application", { name: `Image ${skipped[0]}` })).toBeVisible();
});

test("the reviewer returns an image with a comment pinned to a place", async () => {
  const { page } = rita;
  await rita.open(imageOf(returned), "?stage=to_review");
  const { at } = await rita.fit(WIDTH, HEIGHT);
  await page.keyboard.press("y");
  const place = at(100, 60);
  await expect(page.getByRole("application", { name: "Place of the comment" })).toBeVisible();
  await page.mouse.click(place.x, place.y);
  await page.getByRole("textbox", { name: "Comment" }).fill("The roof is missing.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("region", { name: "Thread 1" })).toContainText("The roof is missing.");
  await page.keyboard.press("Escape");
  await stageOf(page).getByRole("button", { name: "Return" }).click();
  await expect(page.getByRole("application", { name: `Image ${returned}` })).toBeHidden();
  await rita.saved();
  expect((await listed(ann, "&stage=returned")).get(returned)).toMatchObject({ open_threads: 1, assignee: "ann" });
});

test("the annotator finds the returned image and the comment under My Work, corrects and submits it", async () => {
  const { page } = ann;
  await page.getByRole("link", { name: "My Work" }).first().click();
  const sentBack = page.getByRole("region", { name: "Returned to me" });
  await expect(sentBack).toContainText(returned);
  await expect(sentBack).toContainText("rita: The roof is missing.");
  const card = page.getByRole("region", { name: "Datasets" }).getByRole("listitem");
  await expect(card).toContainText(`1 of ${SHARED / 2} assigned images done`);
  await card.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("application", { name: `Image ${returned}` })).toBeVisible();
  await expect(stageOf(page)).toContainText("Returned by rita");
  await page.getByRole("button", { name: /^Thread 1/ }).click();
  await expect(page.getByRole("region", { name: "Thread 1" })).toContainText("The roof is missing.");
  await page.getByRole("button", { name: "Resolve" }).click();
  await page.keyboard.press("Escape");
  await drawBox(ann, 90);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("application", { name: `Image ${returned}` })).toBeHidden();
  await shownName(ann);
  await ann.saved();
  expect((await listed(rita)).get(returned)).toMatchObject({ stage: "to_review", num_annotations: 2 });
});

test("the reviewer accepts it, and the viewer can look but not touch", async () => {
  await rita.open(imageOf(returned), "?stage=to_review");
  await stageOf(rita.page).getByRole("button", { name: "Accept" }).click();
  await rita.saved();
  await expect.poll(async () => (await listed(vic)).get(returned)?.stage).toBe("accepted");
  const { page } = vic;
  await page.goto(`${server.url}dataset/${dataset}?stage=accepted`);
  await expect(cardOf(page, returned)).toContainText("Accepted");
  await expect(page.getByRole("button", { name: "Work on the next image" })).toBeHidden();
  const headers = { "X-Requested-With": "fetch" };
  const post = (path: string, data: object) => page.request.post(`${server.url}api/${path}`, { headers, data });
  expect((await post(`dataset/${dataset}/images/next`, {})).status()).toBe(403);
  const edit = { uuid: randomUUID(), image_id: imageOf(returned), base: 0, subject: "image", action: "modify" };
  const sent = { client: randomUUID(), edits: [{ ...edit, before: { done: true }, after: { done: false } }] };
  expect(await (await post("annotator/edits", sent)).json()).toMatchObject({ answers: [{ status: "refused" }] });
});

test("an annotator submits two images without a network, and everything arrives once", async () => {
  const { page } = ann;
  await page.goto(`${server.url}dataset/${dataset}?assignee=ann`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make available" }).click();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Work on the next image" }).click();
  await shownName(ann);
  const doneBefore = [...(await listed(ann, "&assignee=ann")).values()].filter(({ done }) => done).length;
  await page.context().setOffline(true);
  const offline = [await annotateAndSubmit(ann), await annotateAndSubmit(ann)];
  const third = await shownName(ann);
  expect(new Set([...offline, third]).size).toBe(3);
  const work = page.getByRole("region", { name: "Datasets" }).getByRole("listitem");
  await page.getByRole("link", { name: "My Work" }).first().click();
  await expect(page.getByText(/^The server cannot be reached. Shown is what this browser knows/)).toBeVisible();
  await expect(work).toContainText(`${doneBefore + 2} of ${SHARED / 2} assigned images done`);
  await work.getByRole("button", { name: "Continue" }).click();
  await shownName(ann);
  expect((await listed(ben)).get(offline[0]!)).toMatchObject({ stage: "open", num_annotations: 0 });
  await page.context().setOffline(false);
  await ann.saved();
  for (const name of offline)
    expect((await listed(ben)).get(name)).toMatchObject({ stage: "to_review", num_annotations: 1, assignee: "ann" });
});

test("an image that was given to another annotator during an offline hour has the work of both", async () => {
  const { page } = ann;
  await start(ann);
  const name = await shownName(ann);
  ofBoth = name;
  const image = imageOf(name);
  await page.context().setOffline(true);
  await drawBox(ann, 30);
  // The maintainer does not know that somebody is at work on it.
  const given = await owner.api("POST", `dataset/${dataset}/images/assign`, {
    ids: [image],
    users: ["ben"],
  });
  expect(given).toMatchObject({ changed: 1 });
  await ben.open(image, "?queue=true");
  await drawBox(ben, 100);
  await ben.page.keyboard.press("Control+Enter");
  await expect(ben.page.getByRole("application", { name: `Image ${name}` })).toBeHidden();
  await ben.saved();
  await page.keyboard.press("Control+Enter");
  await page.context().setOffline(false);
  await ann.saved();
  expect((await listed(rita)).get(name)).toMatchObject({ stage: "to_review", num_annotations: 2, assignee: "ben" });
  expect((await rita.annotations(image)).map(({ creator }) => creator).toSorted()).toEqual(["ann", "ben"]);
});

test("an annotator whose server was away gets the next image when it returns", async () => {
  const { page } = ben;
  await start(ben);
  const name = await shownName(ben);
  await page.context().setOffline(true);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/^Submitted for review\. .* requested when the server is back$/)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("application", { name: `Image ${name}` })).toBeHidden();
  await shownName(ben);
  await ben.saved();
  expect((await listed(ben)).get(name)).toMatchObject({ stage: "to_review", num_annotations: 0, assignee: "ben" });
});

test("the rest goes through the queue without a page, and every image is counted once, by the right user", async () => {
  const worker = async (desk: Desk) => {
    const client = randomUUID();
    let taken = 0;
    for (;;) {
      const { image_id: id } = await desk.api<{ image_id: number | null }>(
        "POST",
        `dataset/${dataset}/images/next`,
        {},
      );
      if (id === null) return taken;
      const base = (await desk.scene(id)).image.revision;
      const edit = { uuid: randomUUID(), image_id: id, base, subject: "image", action: "modify" };
      const edits = [{ ...edit, before: { done: false }, after: { done: true } }];
      expect(await desk.api("POST", "annotator/edits", { client, edits })).toMatchObject({
        answers: [{ status: "applied" }],
      });
      taken += 1;
    }
  };
  // Everything but what the pages have submitted.
  const [anns, bens] = await Promise.all([worker(ann), worker(ben)]);
  expect(anns + bens).toBe(SHARED + FREE - 8);
  const all = await listed(rita);
  expect(all.size).toBe(SHARED + FREE);
  const images = [...all.values()];
  expect(images.filter(({ stage }) => stage === "to_review").length).toBe(SHARED + FREE - 1);
  expect(images.filter(({ stage }) => stage === "accepted").map(({ file_name }) => file_name)).toEqual([returned]);
  expect(images.every(({ assignee }) => assignee === "ann" || assignee === "ben")).toBe(true);
  const { dataset: card } = await rita.api<{ dataset: { stages: object } }>("GET", `dataset/${dataset}/data`);
  expect(card.stages).toEqual({ to_review: SHARED + FREE - 1, returned: 0, accepted: 1 });
  const annotations = await Promise.all(
    images
      .filter((image) => image.num_annotations > 0 && image.file_name !== ofBoth)
      .map(async ({ id, assignee }) => ({
        assignee,
        creators: (await rita.annotations(id)).map(({ creator }) => creator),
      })),
  );
  expect(annotations.flatMap(({ creators }) => creators).length).toBe(7);
  for (const { assignee, creators } of annotations) expect(new Set(creators)).toEqual(new Set([assignee]));
  expect(await owner.api("GET", `dataset/${dataset}/leases`)).toEqual([]);
  expect(problems.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});
