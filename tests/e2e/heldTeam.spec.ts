import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack, REFUSAL, refuseCalls } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";
import { TestClient } from "../support/testClient";

/** Forms and settings of a team while their responses are late: they say what was stored, and Cancel cancels. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let dataset: Awaited<ReturnType<Desk["plainDataset"]>>;
const problems: string[] = [];

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
const openTab = async (name: string) => {
  await page.goto(`${server.url}dataset/${dataset.id}`);
  await page.getByRole("tab", { name }).click();
};

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, problems));
  await new TestClient(server.url).post("user/register", { username: "bob", password: "correct horse" });
  dataset = await desk.plainDataset("Team", ["car"], ["a", "b"], 640, 480);
  await desk.api("POST", `dataset/${dataset.id}/share`, { add: ["bob"] });
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
});
// A task that has ended cannot be cancelled any more: the page says so, and the browser logs the refusal.
test.afterEach(() => expect(problems.filter((text) => !text.includes("409 (Conflict)"))).toEqual([]));

async function tasksEnd(): Promise<void> {
  const tasks = () => desk.api<{ completed: boolean }[]>("GET", "tasks/");
  await expect.poll(async () => (await tasks()).every(({ completed }) => completed)).toBe(true);
}

/** Records the states of a switch that are painted, until the returned function is called. */
async function recordSwitch(name: string): Promise<() => Promise<boolean[]>> {
  const input = await page.getByRole("switch", { name }).elementHandle();
  const recorded = await input!.evaluateHandle((element) => {
    const states: boolean[] = [];
    const look = () => {
      const { checked } = element as HTMLInputElement;
      if (states.at(-1) !== checked) states.push(checked);
      requestAnimationFrame(look);
    };
    look();
    return states;
  });
  return () => recorded.jsonValue() as Promise<boolean[]>;
}

test("a stored setting does not fall back to its old value while the dataset loads", async () => {
  await openTab("Settings");
  for (const name of ["Ask for review", "Only assigned images"]) {
    const toggle = page.getByRole("switch", { name });
    await expect(toggle).not.toBeChecked();
    const states = await recordSwitch(name);
    const list = await holdBack(page, { path: /^dataset\/\d+\/data$/ });
    await toggle.evaluate((element: HTMLElement) => element.click());
    await list.arrived;
    // Once other calls and their paints have passed, the switch has had its time to fall back.
    await page.evaluate(async () => {
      for (let i = 0; i < 20; i++) {
        await fetch("api/info/");
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    await list.release();
    await expect(toggle).toBeEnabled();
    await expect(toggle).toBeChecked();
    expect(await states()).toEqual([false, true]);
  }
});

test("a version that is cancelled while its request is in flight is cancelled, or said to exist", async () => {
  await openTab("Exports");
  const start = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/versions$/ });
  await page.getByRole("button", { name: "Name this moment…" }).click();
  await dialog("Name this moment").getByLabel("Name").fill("v1");
  await dialog("Name this moment").getByRole("button", { name: "Keep this version" }).click();
  await start.arrived;
  await dialog("Name this moment").getByRole("button", { name: "Cancel" }).click();
  await expect(dialog("Name this moment")).toHaveCount(0);
  await start.release();
  await expect(toast(/is being cancelled|was kept before it could be cancelled/)).toHaveCount(1);
});

test("giving images is cancelled while its request is in flight, or said to have happened", async () => {
  await openTab("Images");
  await page.getByRole("article", { name: "a.png" }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Give to several users" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("combobox", { name: "Users" }).fill("bob");
  await page.keyboard.press("Enter");
  const start = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/consensus\/give$/ });
  await form.getByRole("button", { name: "Give", exact: true }).click();
  await start.arrived;
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toHaveCount(0);
  await start.release();
  await expect(toast(/is being cancelled|were given before this could be cancelled/)).toHaveCount(1);
});

test("copies that are being taken back cannot be called off, and are reported after the page was left", async () => {
  const give = async (ids: number[]) => {
    await desk.api("POST", `dataset/${dataset.id}/consensus/give`, { ids, users: ["bob"] });
    await tasksEnd();
  };
  await give([dataset.image("a"), dataset.image("b")]);
  await openTab("Consensus");
  const images = page.getByRole("region", { name: "Images", exact: true }).getByRole("listitem");
  await images.filter({ hasText: "a.png" }).getByRole("button", { name: "Take back" }).click();
  const taking = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/consensus\/take-back$/ });
  const question = dialog("Take back");
  await question.getByRole("button", { name: "Take back" }).click();
  await taking.arrived;
  await expect(question.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  // The page is left by a link beneath the question, and the outcome is reported where the user is now.
  await page.locator('nav a[href$="/datasets"], header a[href$="/datasets"]').first().dispatchEvent("click");
  await expect(page).toHaveURL(/\/datasets/);
  await taking.release();
  await expect(toast("The copies of “a.png” were taken back.")).toHaveCount(1);
});

test("a webhook's form changes only what its user changed", async () => {
  const path = `dataset/${dataset.id}/webhooks`;
  const made = await desk.api<{ id: number }>("POST", path, { url: "https://example.org/one", events: ["image.done"] });
  await openTab("Settings");
  await page.getByRole("button", { name: "Commands for https://example.org/one" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await desk.api("PUT", `${path}/${made.id}`, { events: ["task.ended"] });
  await dialog("Edit webhook").getByLabel("Address").fill("https://example.org/two");
  await dialog("Edit webhook")
    .getByRole("checkbox", { name: /Annotations of an image/ })
    .check();
  await dialog("Edit webhook").getByRole("button", { name: "Save" }).click();
  await expect(dialog("Edit webhook")).toHaveCount(0);
  expect(await desk.api("GET", path)).toMatchObject([
    { url: "https://example.org/two", events: ["annotations.changed", "task.ended"] },
  ]);
});

/** Opens the image a, and types a comment for a place at this distance from the left. */
async function beginComment(x: number, text: string): Promise<void> {
  await desk.open(dataset.image("a"));
  await page.getByRole("application").first().focus();
  await page.keyboard.press("y");
  await page.getByRole("application", { name: "Place of the comment" }).click({ position: { x, y: 200 } });
  await page.getByRole("textbox", { name: "Comment" }).fill(text);
}

test("a deleted comment is no longer offered to be restored once its image was left, since it could not be", async () => {
  await beginComment(200, "Is this a barn?");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Comment of ada" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const restore = page.getByRole("button", { name: "Restore" });
  await expect(restore).toBeVisible();
  await desk.saved();
  // While the pointer is on the message, its time does not run out.
  await restore.hover();
  await page
    .getByRole("button", { name: /next image/i })
    .first()
    .dispatchEvent("click");
  await expect(page.getByRole("application", { name: "Image b.png" })).toBeVisible();
  await expect(restore).toHaveCount(0);
});

test("an unsent comment is offered again when its image is opened again", async () => {
  await beginComment(300, "The barn has two doors");
  await page
    .getByRole("button", { name: /next image/i })
    .first()
    .dispatchEvent("click");
  await expect(page.getByRole("application", { name: "Image b.png" })).toBeVisible();
  await desk.open(dataset.image("a"));
  await toast("The barn has two doors").getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("textbox", { name: "Comment" })).toHaveValue("The barn has two doors");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("region", { name: /^Thread/ })).toContainText("The barn has two doors");
  await desk.saved();
  await desk.open(dataset.image("a"));
  await expect(page.getByRole("button", { name: /^Thread 1/ })).toBeVisible();
  await expect(toast("The barn has two doors")).toHaveCount(0);
});

test("a late next image is offered, not opened, over a form that was opened meanwhile", async () => {
  await desk.api("POST", `dataset/${dataset.id}`, { queue_assigned_only: false });
  await openTab("Images");
  await page.getByRole("article", { name: "b.png" }).getByRole("checkbox").check();
  const next = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/images\/next$/ });
  await page.getByRole("button", { name: "Work on the next image" }).click();
  await next.arrived;
  await page.getByRole("button", { name: "Give to several users" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await next.release();
  await expect(toast("Your next image is ready.")).toHaveCount(1);
  await expect(page).toHaveURL(/\/dataset\/\d+/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Open it" }).click();
  await expect(page).toHaveURL(/\/annotate\/\d+\?queue=true/);
});

test("images that another user has marked or assigned since they were ticked stay as that user left them", async () => {
  await openTab("Images");
  const path = `dataset/${dataset.id}/images`;
  const [ids, both] = [[dataset.image("a")], [dataset.image("a"), dataset.image("b")]];
  await desk.api("POST", `${path}/mark`, { ids: both, stage: "to_review" });
  const waiting = page.getByRole("article").filter({ hasText: "To review" });
  await expect(waiting).toHaveCount(2);
  const changeLate = async (command: string, change: object, send: () => Promise<unknown>) => {
    for (const name of ["a", "b"])
      await page
        .getByRole("article", { name: `${name}.png` })
        .getByRole("checkbox")
        .check();
    await page.getByRole("button", { name: command, exact: true }).click();
    // The list shows the other user's change only after the command.
    const list = await holdBack(page, { path: /^dataset\/\d+\/data$/ });
    await desk.api("POST", `${path}/${command === "Stage" ? "mark" : "assign"}`, { ids, ...change });
    await send();
    await expect(toast(/a\.png has changed since/)).toHaveCount(1);
    await list.release();
  };
  await changeLate("Stage", { stage: "open" }, () => page.getByRole("menuitem", { name: "Accept" }).click());
  const found = async () => {
    const { images } = await desk.api<{ images: object[] }>("GET", `dataset/${dataset.id}/data?order=path`);
    return images;
  };
  expect(await found()).toMatchObject([{ stage: "open" }, { stage: "accepted" }]);
  await toast(/a\.png has changed since/)
    .getByRole("button")
    .click();
  await changeLate("Assign", { users: ["bob"] }, async () => {
    await dialog("Assign 2 images").getByLabel("Members").first().click();
    await page.getByRole("option", { name: "ada", exact: true }).click();
    await dialog("Assign 2 images").getByText("Several members get equal shares").click();
    await dialog("Assign 2 images").getByRole("button", { name: "Assign", exact: true }).click();
  });
  expect(await found()).toMatchObject([{ assignee: "bob" }, { assignee: "ada" }]);
});

test("boxes that are being counted again cannot be outlined", async () => {
  const [image_id, { categories }] = [dataset.image("a"), await desk.scene(dataset.image("a"))];
  const addBox = (bbox: number[]) =>
    desk.api("POST", "annotation/", { image_id, category_id: categories[0]!.id, bbox, isbbox: true });
  await addBox([10, 10, 50, 50]);
  await openTab("Images");
  await page.getByRole("article", { name: "a.png" }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Outline boxes" }).click();
  const outline = dialog(/^Outline the boxes/).getByRole("button", { name: "Outline", exact: true });
  await expect(dialog(/^Outline the boxes/).getByRole("status")).toHaveText("1 box on 1 image");
  await addBox([100, 100, 50, 50]);
  const counting = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/boxes\/count$/ });
  await outline.click();
  await counting.arrived;
  await expect(dialog(/^Outline the boxes/).getByRole("status")).toHaveText("Counting the boxes…");
  await expect(outline).toBeDisabled();
  await counting.release();
  await expect(dialog(/^Outline the boxes/).getByRole("status")).toHaveText("2 boxes on 1 image");
  await expect(outline).toBeEnabled();
});

test("the number of compared images that cannot be counted is offered to be counted again", async () => {
  await desk.api("POST", `dataset/${dataset.id}`, { queue_order: "farthest" });
  // Its progress would load the number again.
  await tasksEnd();
  const allow = await refuseCalls(page, { path: /^dataset\/\d+\/queue\/compared$/ });
  await openTab("Settings");
  await expect(page.getByText(REFUSAL)).toBeVisible();
  allow();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(/images are compared/)).toBeVisible();
  expect(problems.splice(0).filter((text) => !/40[09] \(/.test(text))).toEqual([]);
});
