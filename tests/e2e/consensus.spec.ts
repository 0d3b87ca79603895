import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectNoViolations } from "../support/accessibility";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { TestClient } from "../support/testClient";
import { chooseTool, clickAt } from "../support/userSteps";

/**
 * Two annotators annotate the same image apart from each other; the maintainer compares, merges and scores their work.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [640, 480];
type Box = [x: number, y: number, width: number, height: number];
interface Drawn {
  id: number;
  bbox: Box;
  category_id: number;
}

let server: LiveServer;
let owner: Desk;
let ann: Desk;
let bob: Desk;
let dataset: number;
let image: number;
let truth: number;
let categories: Record<string, number>;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  const open = async (username: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const desk = new Desk(await context.newPage(), server.url);
    await desk.register(username);
    return desk;
  };
  owner = await open("olga");
  ann = await open("ann");
  bob = await open("bob");
  await new TestClient(server.url).post("user/register", { username: "rita", password: "correct horse" });
  const made = await owner.plainDataset("Animals", ["cat", "dog"], ["first", "second"], WIDTH, HEIGHT);
  dataset = made.id;
  [image, truth] = [made.image("first"), made.image("second")];
  const all = await owner.api<{ id: number; name: string }[]>("GET", "category/");
  categories = Object.fromEntries(all.map(({ id, name }) => [name, id]));
});
test.afterAll(async () => {
  for (const desk of [owner, ann, bob]) await desk?.page.context().close();
  await server?.remove();
});

const draw = (desk: Desk, image_id: number, category: string, [x, y, w, h]: Box) =>
  desk.api("POST", "annotation/", {
    image_id,
    category_id: categories[category],
    segmentation: [[x, y, x + w, y, x + w, y + h, x, y + h]],
  });
const card = (page: Page, name: string) => page.getByRole("article", { name });
const part = (name: string) => owner.page.getByRole("region", { name, exact: true });
const hasRow = (region: string, text: string) => expect(part(region).getByRole("row", { name: text })).toBeVisible();

async function copyOf(desk: Desk, name: string): Promise<number> {
  const [own] = await desk.api<{ id: number }[]>("GET", "dataset/");
  const page = await desk.api<{ images: { id: number; file_name: string }[] }>("GET", `dataset/${own!.id}/data`);
  return page.images.find(({ file_name }) => file_name === name)!.id;
}

async function finish(desk: Desk, name: string): Promise<void> {
  const [own] = await desk.api<{ id: number }[]>("GET", "dataset/");
  await desk.page.goto(`${server.url}dataset/${own!.id}`);
  await card(desk.page, name).getByRole("checkbox").check();
  await desk.page
    .getByRole("toolbar", { name: "Selected images" })
    .getByRole("button", { name: "Done", exact: true })
    .click();
  await expect(card(desk.page, name).getByText("Done")).toBeVisible();
}

async function give(name: string, isTruth = false): Promise<void> {
  await card(owner.page, name).getByRole("checkbox").check();
  await owner.page.getByRole("button", { name: "Give to several users" }).click();
  const dialog = owner.page.getByRole("dialog");
  for (const user of ["ann", "bob"]) {
    await dialog.getByRole("combobox", { name: "Users" }).fill(user);
    await owner.page.keyboard.press("Enter");
  }
  if (isTruth) await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Give", exact: true }).click();
  await expect(owner.page.getByText("2 copies were given.").first()).toBeVisible();
}

test("a dataset shows nothing of consensus until an image is given to several users, which needs members", async () => {
  await owner.page.goto(`${server.url}dataset/${dataset}`);
  await expect(card(owner.page, "first.png")).toBeVisible();
  await card(owner.page, "first.png").getByRole("checkbox").check();
  await expect(owner.page.getByRole("button", { name: "Delete", exact: true })).toBeVisible();
  await expect(owner.page.getByRole("button", { name: "Give to several users" })).toBeHidden();
  await owner.api("POST", `dataset/${dataset}/share`, { add: ["rita"] });
  await owner.page.reload();
  await expect(card(owner.page, "first.png")).toBeVisible();
  await expect(owner.page.getByRole("tab", { name: "Quality" })).toBeVisible();
  await expect(owner.page.getByRole("tab", { name: "Consensus" })).toBeHidden();
  await give("first.png");
  await expect(owner.page.getByRole("tab", { name: "Consensus" })).toBeVisible();
});

test("each annotator draws on a copy without seeing the others", async () => {
  await ann.page.goto(`${server.url}datasets`);
  await expect(ann.page.getByRole("article")).toHaveCount(1);
  await expect(ann.page.getByRole("article")).toContainText("Animals (copies for ann)");
  const [ofAnn, ofBob] = [await copyOf(ann, "first.png"), await copyOf(bob, "first.png")];
  await draw(bob, ofBob, "cat", [100, 100, 100, 100]);
  await draw(bob, ofBob, "dog", [400, 100, 80, 80]);
  await ann.open(ofAnn);
  await expect(ann.page.getByRole("treeitem").first()).toBeVisible();
  expect(await ann.annotations(ofAnn)).toEqual([]);
  const { at } = await ann.fit(WIDTH, HEIGHT);
  await ann.page.keyboard.press("ArrowDown");
  await chooseTool(ann.page, "BBox");
  await clickAt(ann.page, [at(100, 100), at(200, 180)]);
  await ann.saved();
  await draw(ann, ofAnn, "dog", [400, 100, 80, 80]);
  await draw(ann, ofAnn, "dog", [300, 300, 60, 60]);
  const others = await bob.page.request.get(`${server.url}api/annotator/data/${ofAnn}`);
  expect(others.status()).toBe(404);
  await finish(ann, "first.png");
  await finish(bob, "first.png");
});

test("the maintainer sees the agreement, as computed by hand", async () => {
  const [drawn] = (await ann.annotations(await copyOf(ann, "first.png"))) as unknown as Drawn[];
  expect(drawn).toMatchObject({ category_id: categories.cat });
  const [x, y, w, h] = drawn!.bbox;
  const shared = (Math.min(x + w, 200) - Math.max(x, 100)) * (Math.min(y + h, 200) - Math.max(y, 100));
  const overlap = shared / (w * h + 100 * 100 - shared);
  expect(overlap).toBeGreaterThan(0.75);
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  await owner.page.reload();
  await owner.page.getByRole("tab", { name: "Consensus" }).click();
  // Both have found the cat and a dog; Ann has another dog.
  await expect(part("Agreement")).toContainText(`F1${percent(4 / 5)}`);
  await expect(part("Agreement")).toContainText(`Overlap${percent((overlap + 1) / 2)}`);
  await expect(part("Agreement")).toContainText(`Panoptic quality${percent((overlap + 1) / 2.5)}`);
  await hasRow("Categories", `cat 1 0 100.0% ${percent(overlap)} ${percent(overlap)}`);
  await hasRow("Categories", `dog 1 1 ${percent(2 / 3)} 100.0% ${percent(2 / 3)}`);
  await hasRow("Annotators", `ann 1 of 1 80.0% ${percent((overlap + 1) / 2)}`);
  await hasRow("Pairs of annotators", `ann, bob 1 80.0% ${percent((overlap + 1) / 2)} 1`);
  await expectAccessible(owner.page, "consensus");
  await owner.page.screenshot({ path: test.info().outputPath("consensus.png"), fullPage: true });
});

test("the maintainer merges the copies, and undoes the merge", async () => {
  await part("Images").getByRole("link", { name: "Compare the copies of first.png" }).click();
  const objects = owner.page.getByRole("list", { name: "Objects" });
  await expect(objects.getByRole("listitem")).toHaveCount(3);
  await expect(owner.page.getByRole("combobox", { name: "Object 1" })).toHaveValue("mean");
  await expect(owner.page.getByRole("combobox", { name: "Object 3" })).toHaveValue("none");
  await expectAccessible(owner.page, "merge");
  await owner.page.screenshot({ path: test.info().outputPath("merge.png"), fullPage: true });
  await owner.page.getByRole("group", { name: "For all objects" }).getByRole("button", { name: "Union" }).click();
  await owner.page.getByRole("combobox", { name: "Object 3" }).selectOption("Take ann");
  await owner.page.getByRole("combobox", { name: "Object 1" }).selectOption("Take bob");
  await owner.page.getByRole("button", { name: "Write 3 objects into the image" }).click();
  await expect(owner.page.getByText("3 annotations were written.")).toBeVisible();
  const boxes = async () => ((await owner.annotations(image)) as unknown as Drawn[]).map(({ bbox }) => bbox);
  expect(await boxes()).toEqual(
    expect.arrayContaining([
      [100, 100, 100, 100],
      [400, 100, 80, 80],
      [300, 300, 60, 60],
    ]),
  );
  await owner.page.getByRole("button", { name: "Undo the last merge" }).click();
  await expect(owner.page.getByRole("button", { name: "Undo the last merge" })).toBeHidden();
  expect(await boxes()).toEqual([]);
});

test("an annotator who draws a wrong box on an image with known truth gets a low score", async () => {
  await draw(owner, truth, "cat", [100, 100, 100, 100]);
  await owner.page.goto(`${server.url}dataset/${dataset}`);
  await owner.page.getByRole("tab", { name: "Images" }).click();
  await give("second.png", true);
  await draw(ann, await copyOf(ann, "second.png"), "cat", [100, 100, 100, 90]);
  await draw(bob, await copyOf(bob, "second.png"), "cat", [170, 160, 100, 100]);
  await finish(ann, "second.png");
  await finish(bob, "second.png");
  await expect(bob.page.getByText(/truth/i)).toHaveCount(0);
  await owner.page.reload();
  await owner.page.getByRole("tab", { name: "Consensus" }).click();
  await expect(part("Annotators").getByRole("row", { name: /^ann .* 100\.0% 100\.0% 100\.0%$/ })).toBeVisible();
  await expect(part("Annotators").getByRole("row", { name: /^bob .* 0\.0% 0\.0% 0\.0%$/ })).toBeVisible();
  await owner.page.getByRole("link", { name: "Compare the copies of second.png" }).click();
  await expect(owner.page.getByRole("list", { name: "Objects" }).getByRole("listitem")).toHaveCount(2);
  await expect(owner.page.getByRole("button", { name: /Write/ })).toBeHidden();
});

test("the pages fit a phone: every control can be reached, and the picture leaves room for the objects", async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () =>
    page.evaluate(() => ({
      page: document.documentElement.scrollWidth - window.innerWidth,
      // Controls that lie beside the screen, outside an area that scrolls by itself.
      outside: [...document.querySelectorAll("main button, main a, main select, main label")]
        .filter((each) => !each.closest(".mantine-ScrollArea-viewport, [role=tablist]"))
        .map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.left < 0 || box.right > window.innerWidth))
        .map(({ text }) => text),
    }));
  const fits = { page: 0, outside: [] };
  for (const name of ["first.png", "second.png"]) {
    await page.goto(`${server.url}dataset/${dataset}`);
    await page.getByRole("tab", { name: "Consensus" }).click();
    await expect(part("Images").getByRole("link", { name: `Compare the copies of ${name}` })).toBeVisible();
    for (const title of ["Annotators", "Images"]) {
      await part(title).scrollIntoViewIfNeeded();
      await page.screenshot({ path: test.info().outputPath(`phone-${title} ${name}`) });
    }
    expect(await overflow()).toEqual(fits);
    await expectNoViolations(page, "consensus on a phone");
    await part("Images")
      .getByRole("link", { name: `Compare the copies of ${name}` })
      .click();
    const objects = page.getByRole("list", { name: "Objects" });
    await expect(objects.getByRole("listitem").first()).toBeVisible();
    await page.screenshot({ path: test.info().outputPath(`phone-${name}`) });
    expect(await overflow()).toEqual(fits);
    await expectNoViolations(page, "merge on a phone");
  }
  await page.goBack();
  await part("Images").getByRole("link", { name: "Compare the copies of first.png" }).click();
  await page.getByRole("combobox", { name: "Object 3" }).selectOption("Take ann");
  await page.screenshot({ path: test.info().outputPath("phone-choice.png") });
  const picture = await page.getByRole("img", { name: /^What the annotators have drawn/ }).boundingBox();
  expect(picture!.height).toBeLessThan(844 / 2);
  await page.getByRole("button", { name: "Write 3 objects into the image" }).click();
  await expect(page.getByText("3 annotations were written.")).toBeVisible();
});
