import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack, REFUSAL, refuseCalls } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";

/** Data that is loading or failed is never shown or treated as empty, and a double submission counts once. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;

const main = () => page.getByRole("main");
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
const skeletons = (of: Locator) => of.locator(".mantine-Skeleton-root, .mantine-Loader-root");
/** Clicks twice before the page can render the effect of the first click. */
const clickTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
/** Counts the calls of a kind that the page sends from now on. */
function countCalls(method: string, path: RegExp): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) count += 1;
  });
  return () => count;
}

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, []));
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

/** Lists of a new installation. `nothing` is shown if the list is empty, and in no other state. */
const LISTS = [
  { address: "datasets", path: /^dataset\/data$/, nothing: "You need to create a dataset!" },
  { address: "categories", path: /^category\/data$/, nothing: "You need to create a category!" },
  { address: "undo", path: /^undo\/list\/$/, nothing: "Nothing to undone!" },
  { address: "work", path: /^work$/, nothing: "No work" },
  { address: "tasks", path: /^tasks\/$/, nothing: "0 tasks are running" },
  { address: "admin/panel", path: /^admin\/users$/, nothing: "1 user account" },
  { address: "user", path: /^user\/tokens$/, nothing: null },
  { address: "admin/panel", path: /^admin\/datasets$/, nothing: null },
] as const;

for (const { address, path, nothing } of LISTS)
  test(`${address} distinguishes a list (${path.source}) that is loading, failed or empty`, async () => {
    const said = () => main().getByText(nothing ?? "Try again");
    const list = await holdBack(page, { path });
    await page.goto(server.url + address);
    await list.arrived;
    await expect(skeletons(main()).first()).toBeVisible();
    await expect(said()).toHaveCount(0);
    // The browser is asked to reduce motion, and so are skeletons.
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await list.release();
    await expect(said()).toHaveCount(nothing ? 1 : 0);
    await expect(skeletons(main())).toHaveCount(0);

    const mend = await refuseCalls(page, { path });
    await page.reload();
    // Tasks are requested once more when the live connection is established.
    await expect(page.getByRole("status", { name: "Connected to backend" })).toBeVisible();
    await expect(main().getByText(REFUSAL)).toBeVisible();
    if (nothing) await expect(main().getByText(nothing)).toHaveCount(0);
    mend();
    // Lists are loaded again when the tasks have been, which replaces the button.
    await expect(async () => {
      const again = main().getByRole("button", { name: "Try again" });
      if (await again.isVisible()) await again.click({ timeout: 1000 });
      await expect(main().getByText(REFUSAL)).toHaveCount(0, { timeout: 5000 });
    }).toPass();
    if (nothing) await expect(main().getByText(nothing)).toBeVisible();
  });

test("the navigation bar shows no task state before the tasks are loaded", async () => {
  const banner = page.getByRole("banner");
  const tasks = await holdBack(page, { path: /^tasks\/$/ });
  await page.goto(`${server.url}datasets`);
  await tasks.arrived;
  await expect(banner.getByText("Loading ...")).toBeVisible();
  await tasks.release();
  await expect(banner.getByText("Done", { exact: true })).toBeVisible();
});

test("exports are not requested before the user's rights are known", async () => {
  const { id } = await desk.plainDataset("Shared", ["car"], ["a", "b", "c"], 64, 48);
  await desk.api("POST", "admin/user/", { username: "bob", password: "correct horse", name: "Bob", isAdmin: false });
  await desk.api("POST", `dataset/${id}/share`, { users: ["bob"] });
  const other = await context.browser()!.newContext();
  const bob = await other.newPage();
  const ours = { headers: { "X-Requested-With": "test" }, data: { username: "bob", password: "correct horse" } };
  expect((await bob.request.post(`${server.url}api/user/login`, ours)).ok()).toBe(true);
  await bob.goto(`${server.url}dataset/${id}`);
  await bob.getByRole("tab", { name: "Exports" }).click();
  await expect(bob.getByText("Only the owner and maintainers can export")).toBeVisible();
  const about = await holdBack(bob, { path: /^dataset\/\d+\/data$/ });
  await bob.reload();
  await about.arrived;
  await expect(bob.getByRole("tab", { name: "Exports" })).toHaveAttribute("aria-selected", "true");
  await expect(bob.getByRole("tabpanel").locator(".mantine-Skeleton-root").first()).toBeVisible();
  await about.release();
  await expect(bob.getByText("Only the owner and maintainers can export")).toBeVisible();
  await other.close();
});

test("a dataset that cannot be loaded keeps its tabs, and its filters if only its images cannot be loaded", async () => {
  const list = { path: /^dataset\/\d+\/data$/ };
  const again = main().getByRole("button", { name: "Try again" });
  const cards = page.getByRole("article");
  const mend = await refuseCalls(page, list);
  await page.goto(`${server.url}dataset/1`);
  await expect(main().getByText("This dataset could not be loaded")).toBeVisible();
  await expect(main().getByText(REFUSAL)).toBeVisible();
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(page.getByRole("row", { name: /bob/ })).toBeVisible();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(main().getByText("This dataset could not be loaded")).toBeVisible();
  await page.getByRole("tab", { name: "Images" }).click();
  mend();
  await again.click();
  await expect(cards).toHaveCount(3);

  const mendFilter = await refuseCalls(page, list);
  const contains = page.getByRole("textbox", { name: "Contains" });
  await contains.fill("a");
  await expect(main().getByText("The images could not be loaded")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Shared" })).toBeVisible();
  await expect(contains).toHaveValue("a");
  mendFilter();
  await again.click();
  await expect(cards).toHaveCount(1);
});

test("the annotator uses the existing category of a known name, also if the names fail to load at first", async () => {
  const { categories } = await desk.api<{ categories: { name: string }[] }>("GET", "category/data");
  expect(categories.map(({ name }) => name)).toEqual(["car"]);
  await desk.api("POST", "category/", { name: "lamp" });
  const { images } = await desk.api<{ images: { id: number }[] }>("GET", "dataset/1/data");
  const mend = await refuseCalls(page, { path: /^category\/$/ });
  await desk.open(images[0]!.id);
  await page.getByRole("button", { name: "Create category" }).first().click();
  const form = dialog("Create category");
  await form.getByLabel("Name").fill("lamp");
  await form.getByRole("button", { name: "Create", exact: true }).click();
  await expect(toast(REFUSAL)).toBeVisible();
  await expect(toast("already exists")).toHaveCount(0);
  await expect(form.getByLabel("Name")).toHaveValue("lamp");
  mend();
  await form.getByRole("button", { name: "Create", exact: true }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("treeitem", { name: /lamp/ })).toBeVisible();
});

test("a name is not treated as a new category while the known names could not be loaded", async () => {
  const mend = await refuseCalls(page, { path: /^category\/$/ });
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const form = dialog("Creating a Dataset");
  await form.getByLabel("Dataset Name").fill("Stall");
  const field = form.getByRole("combobox", { name: "Default Categories" });
  await field.fill("la");
  await field.press("Tab");
  await expect(form.getByText("The suggestions could not be loaded.")).toBeVisible();
  await form.getByRole("button", { name: "Create Dataset" }).click();
  await expect(form).toBeVisible();
  mend();
  await form.getByRole("button", { name: "Try again" }).click();
  await expect(form.getByText("Press Enter to create the new category “la”, or clear the field.")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("the image to copy from can be requested again after it failed to load", async () => {
  const { images } = await desk.api<{ images: { id: number }[] }>("GET", "dataset/1/data");
  const [first, second] = images;
  await desk.open(first!.id);
  await page.getByRole("button", { name: "Copy Annotations" }).click();
  const form = dialog("Copy Annotations From Image");
  const mend = await refuseCalls(page, { path: new RegExp(`^annotator/data/${second!.id}$`) });
  await form.getByLabel("Image ID").fill(String(second!.id));
  await expect(form.getByText(REFUSAL)).toBeVisible();
  await expect(form.getByText("to copy")).toHaveCount(0);
  mend();
  await form.getByRole("button", { name: "Try again" }).click();
  await expect(form.getByText("b.png: 0 annotations to copy")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("the palette says that nothing was found only once the images were searched", async () => {
  const { images } = await desk.api<{ images: { id: number }[] }>("GET", "dataset/1/data");
  await desk.open(images[0]!.id);
  await page.getByRole("application").focus();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox");
  const nothing = page.getByRole("dialog").getByText("Nothing found");
  // The list of images beside the canvas is loaded by the same call, without this parameter.
  const searching = { path: /^dataset\/1\/data$/, parameter: "file_name__icontains" };
  const search = await holdBack(page, searching);
  await field.fill("b.pn");
  await search.arrived;
  await expect(page.getByText("Searching images…")).toBeVisible();
  await expect(nothing).toHaveCount(0);
  await search.release();
  await expect(page.getByRole("option", { name: "b.png" })).toHaveAttribute("aria-selected", "true");
  const mend = await refuseCalls(page, searching);
  await field.fill("c.pn");
  await expect(page.getByRole("dialog").getByText(REFUSAL)).toBeVisible();
  await expect(nothing).toHaveCount(0);
  mend();
  await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("option", { name: "c.png" })).toBeVisible();
  await page.keyboard.press("Escape");
});

test("the images to propagate to can be requested again after they failed to load", async () => {
  const { images } = await desk.api<{ images: { id: number }[] }>("GET", "dataset/1/data");
  const [first, second] = images;
  const [category] = await desk.api<{ id: number }[]>("GET", "category/");
  const segmentation = [[10, 10, 60, 10, 60, 50, 10, 50]];
  await desk.api("POST", "annotation/", { image_id: first!.id, category_id: category!.id, segmentation });
  await desk.open(first!.id);
  await page.getByRole("application").focus();
  await page.keyboard.press("Control+a");
  const mends = [
    await refuseCalls(page, { path: /^annotator\/place\/\d+$/ }),
    await refuseCalls(page, { path: new RegExp(`^annotator/data/${second!.id}$`) }),
  ];
  await page.keyboard.press("Control+b");
  const form = dialog("Propagate Annotations");
  const propagate = form.getByRole("button", { name: "Propagate", exact: true });
  const again = form.getByRole("button", { name: "Try again" });
  await expect(form.getByText(REFUSAL)).toBeVisible();
  await expect(propagate).toBeDisabled();
  mends[0]!();
  await again.click();
  await expect(form.getByRole("button", { name: "2: b.png, could not be loaded" })).toBeVisible();
  await expect(form.getByText("1 annotation on 1 of 2 images")).toBeVisible();
  mends[1]!();
  await again.click();
  await expect(form.getByText("2 annotations on 2 of 2 images")).toBeVisible();
  await expect(again).toHaveCount(0);
  await page.keyboard.press("Escape");
});

test("images that fail to load after the propagation was confirmed are shown before anything is added", async () => {
  const { images } = await desk.api<{ images: { id: number }[] }>("GET", "dataset/1/data");
  await desk.open(images[0]!.id);
  await page.getByRole("application").focus();
  await page.keyboard.press("Control+a");
  const path = new RegExp(`^annotator/data/${images[1]!.id}$`);
  const held = await holdBack(page, { path: new RegExp(`^annotator/data/${images[2]!.id}$`) });
  const mend = await refuseCalls(page, { path });
  await page.keyboard.press("Control+b");
  const form = dialog("Propagate Annotations");
  await held.arrived;
  await form.getByRole("textbox", { name: "Images" }).press("Enter");
  await held.release();
  await expect(form.getByRole("button", { name: "2: b.png, could not be loaded" })).toBeVisible();
  await expect(form.getByText("1 annotation on 1 of 2 images")).toBeVisible();
  await expect(toast(/added to/)).toHaveCount(0);
  mend();
  await form.getByRole("button", { name: "Try again" }).click();
  await expect(form.getByText("2 annotations on 2 of 2 images")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("an image is deleted once and restored once, however often the button is pressed", async () => {
  await page.goto(`${server.url}dataset/1`);
  await page.getByRole("checkbox", { name: "Select a.png" }).click();
  await page.getByRole("toolbar", { name: "Selected images" }).getByRole("button", { name: "Delete" }).click();
  const deletions = countCalls("POST", /\/images\/delete$/);
  const restorations = countCalls("POST", /\/images\/restore$/);
  await clickTwice(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
  await expect(toast("1 image was deleted.")).toBeVisible();
  await clickTwice(toast("1 image was deleted.").getByRole("button", { name: "Undo", exact: true }));
  await expect(toast("1 image was restored.")).toBeVisible();
  expect([deletions(), restorations()]).toEqual([1, 1]);
  await expect(toast("There was nothing to do.")).toHaveCount(0);
});

test("a task is deleted once", async () => {
  await desk.api("GET", "dataset/1/scan");
  await expect
    .poll(async () => (await desk.api<{ completed: boolean }[]>("GET", "tasks/")).every(({ completed }) => completed))
    .toBe(true);
  await page.goto(`${server.url}tasks`);
  const deletions = countCalls("DELETE", /\/tasks\/\d+$/);
  await clickTwice(
    main()
      .getByRole("button", { name: /^Delete task/ })
      .first(),
  );
  await expect(main().getByText("No tasks")).toBeVisible();
  expect(deletions()).toBe(1);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a restore is reported after its page was left, and happens once", async () => {
  await desk.api("POST", "dataset/1/images/delete", {
    ids: [(await desk.api<{ images: { id: number }[] }>("GET", "dataset/1/data")).images[2]!.id],
  });
  await page.goto(`${server.url}undo`);
  const calls = countCalls("POST", /\/api\/undo\/$/);
  const answer = await holdBack(page, { method: "POST", path: /^undo\/$/ });
  await clickTwice(main().getByRole("button", { name: "Roll back image c.png" }));
  await answer.arrived;
  await page.getByRole("link", { name: "Categories" }).click();
  await expect(page.getByRole("heading", { name: "Categories" })).toBeVisible();
  await answer.release();
  await expect(toast("image c.png was restored")).toBeVisible();
  expect(calls()).toBe(1);
});

test("nothing can be done to the rows of the previous page", async () => {
  for (let n = 10; n < 62; n++) await desk.api("POST", "category/", { name: `kind ${n}` });
  await page.goto(`${server.url}categories`);
  const menus = main().getByRole("button", { name: "Menu of" });
  await expect(menus).toHaveCount(50);
  await expect(main().getByText("50 of 54 loaded")).toBeVisible();
  const second = await holdBack(page, { path: /^category\/data$/ });
  await main().getByRole("button", { name: "Page 2" }).click();
  await second.arrived;
  await expect(menus).toHaveCount(50);
  await expect(menus.first()).toBeDisabled();
  await expect(main().getByText(/loaded$/)).toHaveCount(0);
  await second.release();
  await expect(menus).toHaveCount(4);
  await expect(menus.first()).toBeEnabled();
});

test("messages do not cover the filters of the dataset page", async () => {
  await page.goto(`${server.url}dataset/1`);
  await page.getByLabel("Contains").fill("png");
  for (const name of ["a.png", "b.png", "c.png"]) {
    await page.getByRole("checkbox", { name: `Select ${name}` }).click();
    await page
      .getByRole("toolbar", { name: "Selected images" })
      .getByRole("button", { name: "Done", exact: true })
      .click();
    await expect(page.getByRole("article", { name }).getByText("Done")).toBeVisible();
  }
  await expect(toast("1 image was marked.")).toHaveCount(3);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByLabel("Contains")).toHaveValue("");
});

test("the undo buttons disappear when the session of their user ends", async () => {
  await page.getByRole("checkbox", { name: "Select a.png" }).click();
  await page
    .getByRole("toolbar", { name: "Selected images" })
    .getByRole("button", { name: "Not done", exact: true })
    .click();
  await expect(page.getByRole("button", { name: "Undo", exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Account of" }).click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toHaveCount(0);
});
