import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { drawScene, renderScene } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/** An owner reviews what an annotator submits, also what was submitted without a network. */
test.describe.configure({ mode: "serial" });

const HEADERS = { "X-Requested-With": "x" };

test.describe("review", () => {
  let server: LiveServer;
  let owner: Page;
  let annotator: Page;
  let away: BrowserContext;
  let dataset: number;
  const images: number[] = [];

  test.beforeAll(async ({ browser }) => {
    server = await startLiveServer();
    const open = async (username: string) => {
      const page = await (await browser.newContext({ serviceWorkers: "allow" })).newPage();
      const data = { username, password: "correct horse" };
      expect((await page.request.post(`${server.url}api/user/register`, { data, headers: HEADERS })).ok()).toBe(true);
      return page;
    };
    owner = await open("olga");
    annotator = await open("abe");
    away = annotator.context();
    const post = async (path: string, options: Parameters<Page["request"]["post"]>[1]) =>
      (await owner.request.post(`${server.url}api/${path}`, { ...options, headers: HEADERS })).json();
    dataset = (await post("dataset/", { data: { name: "Reviewed", categories: ["house"] } })).id;
    await post(`dataset/${dataset}/share`, { data: { users: ["abe"] } });
    for (const name of ["a.png", "b.png", "c.png"]) {
      const buffer = await renderScene(drawScene(images.length + 1, 320, 240));
      const image = { name, mimeType: "image/png", buffer };
      images.push(await post("image/", { multipart: { image, dataset_id: String(dataset) } }));
    }
  });
  test.afterAll(async () => {
    await owner?.context().close();
    await annotator?.context().close();
    await server?.remove();
  });

  const panelOf = (page: Page) => page.getByRole("region", { name: "Stage", exact: true });
  const countsOf = (page: Page) => page.getByRole("navigation", { name: "Images by stage" });
  const cardOf = (page: Page, name: string) => page.getByRole("article", { name });
  const openImage = async (page: Page, index: number) => {
    await page.goto(`${server.url}annotate/${images[index]}?order=id`);
    await expect(page.getByRole("heading", { name: /\.png/ })).toBeVisible();
  };
  const isSaved = (page: Page) => expect(page.getByText("Saved", { exact: true })).toBeVisible();

  test("a dataset shows no stages until its owner asks for review", async () => {
    await openImage(annotator, 0);
    await expect(panelOf(annotator)).toBeHidden();
    await owner.goto(`${server.url}dataset/${dataset}`);
    await expect(cardOf(owner, "a.png")).toBeVisible();
    await expect(owner.getByLabel("Show Done")).toBeVisible();
    await expect(countsOf(owner)).toBeHidden();
    await owner.getByRole("tab", { name: "Settings" }).click();
    await owner.getByRole("switch", { name: "Ask for review" }).click();
    await expect(countsOf(owner)).toContainText("To review: 0");
  });

  test("an annotator submits, with and without a network", async () => {
    await openImage(annotator, 0);
    await expect(panelOf(annotator)).toContainText("New");
    await panelOf(annotator).getByRole("button", { name: "Submit for review" }).click();
    await expect(annotator).toHaveURL(new RegExp(`annotate/${images[1]}`));
    await expect(panelOf(annotator)).toContainText("New");
    await away.setOffline(true);
    await annotator.keyboard.press("Shift+D");
    await expect(panelOf(annotator)).toContainText("To review");
    await away.setOffline(false);
    await isSaved(annotator);
    await owner.reload();
    await owner.getByRole("tab", { name: "Images" }).click();
    await expect(countsOf(owner)).toContainText("To review: 2");
    await expect(cardOf(owner, "b.png")).toContainText("To review");
  });

  test("the reviewer finds what waits, returns one image and accepts another", async () => {
    await countsOf(owner)
      .getByRole("link", { name: /To review/ })
      .click();
    await expect(cardOf(owner, "c.png")).toBeHidden();
    await expect(cardOf(owner, "a.png")).toBeVisible();
    await openImage(owner, 0);
    await panelOf(owner).getByRole("button", { name: "Return" }).click();
    await expect(owner).toHaveURL(new RegExp(`annotate/${images[1]}`));
    await expect(panelOf(owner)).toContainText("To review");
    await owner.keyboard.press("Control+Enter");
    await expect(owner).toHaveURL(new RegExp(`annotate/${images[2]}`));
    await isSaved(owner);
  });

  test("the annotator sees who returned the image, and submits it again", async () => {
    await annotator.goto(`${server.url}dataset/${dataset}`);
    await expect(cardOf(annotator, "a.png")).toContainText("Returned");
    await expect(cardOf(annotator, "b.png")).toContainText("Accepted");
    await openImage(annotator, 0);
    await expect(panelOf(annotator)).toContainText("Returned by olga");
    await annotator.keyboard.press("Control+Enter");
    await expect(annotator).toHaveURL(new RegExp(`annotate/${images[1]}`));
    await expect(panelOf(annotator)).toContainText("Accepted");
    await expect(panelOf(annotator).getByRole("button")).toHaveCount(0);
    await isSaved(annotator);
  });

  test("the owner assigns images to a member, who finds them by a filter", async () => {
    await annotator.goto(`${server.url}dataset/${dataset}`);
    await expect(cardOf(annotator, "c.png")).toBeVisible();
    await owner.goto(`${server.url}dataset/${dataset}`);
    await cardOf(owner, "c.png").getByRole("checkbox").check();
    await owner.getByRole("button", { name: "Assign", exact: true }).click();
    const dialog = owner.getByRole("dialog");
    await dialog.getByLabel("Members").first().click();
    await owner.getByRole("option", { name: "abe" }).click();
    await dialog.getByText("Several members get equal shares").click();
    await dialog.getByRole("button", { name: "Assign", exact: true }).click();
    await expect(cardOf(owner, "c.png").getByTitle("Assigned to abe")).toBeVisible();
    await expect(cardOf(annotator, "c.png").getByTitle("Assigned to abe")).toBeVisible();
    await annotator.getByLabel("Assigned to Me").check();
    await expect(annotator).toHaveURL(/assignee=abe/);
    await expect(cardOf(annotator, "c.png")).toBeVisible();
    await annotator.goto(`${server.url}dataset/${dataset}?assignee=olga`);
    await expect(annotator.getByText("No images found in directory.")).toBeVisible();
  });

  test("the reviewer accepts the rest at once, can undo it, and exports only accepted images", async () => {
    await owner.goto(`${server.url}dataset/${dataset}?stage=to_review`);
    await cardOf(owner, "a.png").getByRole("checkbox").check();
    await owner.getByRole("button", { name: "Stage", exact: true }).click();
    await owner.getByRole("menuitem", { name: "Accept" }).click();
    await expect(countsOf(owner)).toContainText("Accepted: 2");
    await owner.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(countsOf(owner)).toContainText("Accepted: 1");
    await expect(countsOf(owner)).toContainText("To review: 1");
    await openImage(owner, 0);
    await panelOf(owner).getByRole("button", { name: "Accept" }).click();
    await expect(owner).toHaveURL(new RegExp(`annotate/${images[1]}`));
    await isSaved(owner);
    await owner.goto(`${server.url}datasets`);
    await expect(countsOf(cardOf(owner, "Reviewed").page())).toContainText("Accepted: 2");
    const query = "with_empty_images=true&only_accepted=true";
    const coco = await (await owner.request.get(`${server.url}api/dataset/${dataset}/coco?${query}`)).json();
    expect(coco.images.map(({ file_name }: { file_name: string }) => file_name)).toEqual(["a.png", "b.png"]);
  });
});
