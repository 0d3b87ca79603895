import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { bandedImage, type Desk, openDesk } from "../support/annotatorDesk";
import { FAILURES, type Failure, failOnce } from "../support/failing";
import type { LiveServer } from "../support/liveServer";
import { chooseInSidebar, openSidebarMenu } from "../support/userSteps";

/**
 * Each form and command whose call fails once. If the server is unavailable, or the connection is cut after it has
 * processed the call, the page retries automatically, and the command is executed once. If no response ever arrives,
 * the page reports that and keeps the user's input; sent again, the command is executed once too.
 */
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let shop: Awaited<ReturnType<Desk["plainDataset"]>>;
const problems: string[] = [];

const dialog = () => page.getByRole("dialog");
const press = (name: string) => dialog().getByRole("button", { name, exact: true });
const failureToast = () =>
  page.getByRole("alert").filter({ hasText: /cannot be reached|not available|has not responded/ });
const go = (path: string) => page.goto(`${server.url}${path}`);

interface Named {
  id: number;
  name: string;
}
const datasetsNamed = async (name: string) =>
  (await desk.api<Named[]>("GET", "dataset/")).filter((dataset) => dataset.name === name);
const categoriesNamed = async (name: string) =>
  (await desk.api<Named[]>("GET", "category/")).filter((category) => category.name === name);
const trash = async (name: string) =>
  (await desk.api<Named[]>("GET", "undo/list/?type=all&limit=500")).filter((entry) => entry.name === name);
const usernames = async () =>
  (await desk.api<{ users: { username: string }[] }>("GET", "admin/users?limit=500")).users.map(
    ({ username }) => username,
  );

interface Sent {
  method: string;
  path: RegExp;
}

/** Sends a command whose first call fails, and sends it again if the page reports a failure. */
async function sendFailing(call: Sent, failure: Failure, send: () => Promise<void>) {
  const { failed } = await failOnce(page, call, failure);
  await send();
  await failed();
  if (failure !== "silent") return;
  await expect(failureToast().first()).toBeVisible();
  await send();
}

/** Like sendFailing, with a button of a dialog that stays open after the failure. */
async function confirmFailing(call: Sent, failure: Failure, button: string) {
  await sendFailing(call, failure, () => press(button).click());
  await expect(dialog()).toHaveCount(0);
  if (failure !== "silent") await expect(failureToast()).toHaveCount(0);
}

/**
 * Like sendFailing, for removing a row of a list. After a failure the list is loaded again and the row is gone, so that
 * there is nothing to send again.
 */
async function removeFailing(call: Sent, failure: Failure, send: () => Promise<void>) {
  const { failed } = await failOnce(page, call, failure);
  await send();
  await failed();
  await expect(failureToast()).toHaveCount(failure === "silent" ? 1 : 0);
  await expect(dialog()).toHaveCount(0);
}
const deleteFailing = (call: Sent, failure: Failure) => removeFailing(call, failure, () => press("Delete").click());

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 900 } }, problems));
  await page.clock.install();
  shop = await desk.plainDataset("Shop", ["apple", "pear"], ["a", "b", "c", "d", "e", "f"], 80, 60);
  for (const username of ["bob", "carol", "dave"])
    await desk.api("POST", "admin/user/", { username, password: "correct horse" });
});
test.afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

for (const failure of FAILURES) {
  test.describe(failure, () => {
    test("a dataset is created once, and opened", async () => {
      const name = `made ${failure}`;
      await go("datasets");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await dialog().getByLabel("Dataset Name").fill(name);
      await confirmFailing({ method: "POST", path: /^dataset\/$/ }, failure, "Create Dataset");
      await expect(page.getByRole("heading", { name })).toBeVisible();
      const [made, ...others] = await datasetsNamed(name);
      expect(others).toEqual([]);
      await expect(page).toHaveURL(`${server.url}dataset/${made?.id}`);
    });

    test("a dataset is shared, edited and deleted once", async () => {
      const name = `shared ${failure}`;
      const { id } = await desk.api<Named>("POST", "dataset/", { name });
      const menu = async (item: string) => {
        await go("datasets");
        await page.getByRole("button", { name: `Menu of ${name}` }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      await menu("Share");
      await dialog().getByRole("combobox", { name: "Users" }).fill("bob");
      await page.keyboard.press("Enter");
      await confirmFailing({ method: "POST", path: /^dataset\/\d+\/share$/ }, failure, "Share");
      expect((await desk.api<{ users: string[] }>("GET", `dataset/${id}`)).users).toEqual(["bob"]);

      await menu("Edit");
      await dialog().getByRole("combobox", { name: "Default Categories" }).fill(`kind ${failure}`);
      await page.keyboard.press("Enter");
      await confirmFailing({ method: "POST", path: /^dataset\/\d+$/ }, failure, "Save");
      expect(await categoriesNamed(`kind ${failure}`)).toHaveLength(1);

      await menu("Delete");
      await deleteFailing({ method: "DELETE", path: /^dataset\/\d+$/ }, failure);
      await expect(page.getByRole("article", { name })).toHaveCount(0);
      expect(await trash(name)).toHaveLength(1);
    });

    test("a deleted dataset is restored once, and another is permanently deleted once", async () => {
      const name = `back ${failure}`;
      const { id } = await desk.api<Named>("POST", "dataset/", { name });
      await desk.api("DELETE", `dataset/${id}`);
      await go("undo");
      const row = page.getByRole("row").filter({ hasText: name });
      await removeFailing({ method: "POST", path: /^undo\/$/ }, failure, () =>
        row.getByRole("button", { name: /^Roll back/ }).click(),
      );
      await expect(row).toHaveCount(0);
      expect(await datasetsNamed(name)).toHaveLength(1);
      await desk.api("DELETE", `dataset/${id}`);
      await go("undo");
      await removeFailing({ method: "DELETE", path: /^undo\/$/ }, failure, async () => {
        await row.getByRole("button", { name: /^Delete/ }).click();
        await press("Delete permanently").click();
      });
      await expect(row).toHaveCount(0);
    });

    test("a category is created, edited and deleted once", async () => {
      const name = `category ${failure}`;
      const menu = async (of: string, item: string) => {
        await page.getByRole("button", { name: `Menu of ${of}` }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      const field = () => dialog().getByRole("textbox", { name: "Name", exact: true });
      await go("categories");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await field().fill(name);
      await confirmFailing({ method: "POST", path: /^category\/$/ }, failure, "Create Category");
      await expect(page.getByRole("article", { name })).toBeVisible();
      expect(await categoriesNamed(name)).toHaveLength(1);

      await menu(name, "Edit");
      await field().fill(`${name} two`);
      await dialog().getByRole("button", { name: "Add keypoint" }).click();
      await dialog().getByLabel("Label of keypoint 1").fill("eye");
      await confirmFailing({ method: "PUT", path: /^category\/\d+$/ }, failure, "Update");
      expect(await categoriesNamed(`${name} two`)).toMatchObject([{ keypoint_labels: ["eye"] }]);

      await menu(`${name} two`, "Delete");
      await deleteFailing({ method: "DELETE", path: /^category\/\d+$/ }, failure);
      await expect(page.getByRole("article", { name: `${name} two` })).toHaveCount(0);
      expect(await trash(`${name} two`)).toHaveLength(1);
    });

    test("a token is created once, its secret is shown, and it is revoked once", async () => {
      const name = `script ${failure}`;
      const tokens = async () =>
        (await desk.api<{ tokens: Named[] }>("GET", "user/tokens")).tokens.filter((token) => token.name === name);
      await go("user");
      await page.getByRole("button", { name: "Create Token" }).click();
      await dialog().getByLabel("Name").fill(name);
      await sendFailing({ method: "POST", path: /^user\/tokens$/ }, failure, () =>
        dialog()
          .getByRole("button", { name: /^Create/ })
          .click(),
      );
      await expect(dialog().getByLabel("API token")).toHaveValue(/^limn_/);
      expect(await tokens()).toHaveLength(1);
      await go("user");
      await page.getByRole("button", { name: `Revoke ${name}` }).click();
      await confirmFailing({ method: "DELETE", path: /^user\/tokens\/\d+$/ }, failure, "Revoke");
      expect(await tokens()).toEqual([]);
    });

    test("an account is created, changed and deleted once, and its dataset is handed over", async () => {
      const name = `eve.${failure}`;
      await go("admin/panel");
      await page.getByRole("button", { name: "Create User" }).click();
      await dialog().getByLabel("Username").fill(name);
      await dialog().getByLabel("Password", { exact: false }).first().fill("correct horse");
      await confirmFailing({ method: "POST", path: /^admin\/user\/$/ }, failure, "Create User");
      expect((await usernames()).filter((each) => each === name)).toHaveLength(1);

      await page.getByRole("button", { name: `Edit ${name}` }).click();
      await dialog().getByLabel("Full Name").fill("Eve");
      await confirmFailing({ method: "PATCH", path: /^admin\/user\// }, failure, "Save");
      await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Eve");

      const { id } = await desk.api<Named>("POST", "dataset/", { name: `left by ${name}` });
      await desk.api("POST", `admin/dataset/${id}/owner`, { username: name });
      await go("admin/panel");
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await confirmFailing({ method: "DELETE", path: /^admin\/user\// }, failure, "Delete");
      expect(await usernames()).not.toContain(name);

      const orphan = page.getByRole("row").filter({ hasText: `left by ${name}` });
      await orphan.getByRole("combobox").fill("carol");
      await page.keyboard.press("Escape");
      await removeFailing({ method: "POST", path: /^admin\/dataset\/\d+\/owner$/ }, failure, () =>
        orphan.getByRole("button", { name: "Hand over" }).click(),
      );
      await expect(orphan).toHaveCount(0);
      expect(await desk.api("GET", `dataset/${id}`)).toMatchObject({ owner: "carol" });
    });

    test("images are marked and deleted once, and the deletion can be undone", async () => {
      const [first, second] = { unavailable: ["a", "b"], cut: ["c", "d"], silent: ["e", "f"] }[failure] as [
        string,
        string,
      ];
      const bar = page.getByRole("toolbar", { name: "Selected images" });
      const tick = (name: string) => page.getByRole("checkbox", { name: `Select ${name}.png` }).click();
      await go(`dataset/${shop.id}`);
      await tick(first);
      await sendFailing({ method: "POST", path: /images\/mark$/ }, failure, () =>
        bar.getByRole("button", { name: "Done", exact: true }).click(),
      );
      await expect(page.getByText("1 image was marked.")).toBeVisible();
      await page.reload();
      await tick(second);
      await bar.getByRole("button", { name: "Delete" }).click();
      await removeFailing({ method: "POST", path: /images\/delete$/ }, failure, () => press("Delete").click());
      await expect(page.getByRole("article", { name: `${second}.png` })).toHaveCount(0);
      expect(await trash(`${second}.png`)).toHaveLength(1);
      if (failure === "silent") return;
      const message = page.getByRole("alert").filter({ hasText: "1 image was deleted." });
      await message.getByRole("button", { name: "Undo", exact: true }).click();
      await expect(page.getByText("1 image was restored.")).toBeVisible();
      await expect(page.getByRole("article", { name: `${second}.png` })).toBeVisible();
    });

    test("a scan and an export are started once", async () => {
      const count = async () => (await desk.api<unknown[]>("GET", "tasks/")).length;
      // Clicks again if the page heard of the first scan between press and release: the entry was then inactive, and the
      // menu is still open.
      const scan = async () => {
        const entry = await openSidebarMenu(page, "Scan");
        await expect(async () => {
          if ((await entry.count()) > 0) await entry.click({ timeout: 1_000 });
          await expect(entry).toHaveCount(0, { timeout: 2_000 });
        }).toPass();
      };
      await go(`dataset/${shop.id}`);
      let before = await count();
      await sendFailing({ method: "GET", path: /^dataset\/\d+\/scan$/ }, failure, scan);
      await expect.poll(count).toBe(before + 1);

      before = await count();
      await chooseInSidebar(page, "Export COCO");
      await confirmFailing({ method: "GET", path: /^dataset\/\d+\/export$/ }, failure, "Export");
      await expect.poll(count).toBe(before + 1);
    });

    test("a category that is created or found in the annotator is added to the dataset, whichever call fails", async () => {
      const names = async () =>
        (await desk.api<{ categories: Named[] }>("GET", `dataset/${shop.id}/data`)).categories.map(({ name }) => name);
      await desk.api("POST", "category/", { name: `known ${failure}` });
      await desk.open(shop.image("a"));
      for (const [name, path] of [
        [`new ${failure}`, /^category\/$/],
        [`known ${failure}`, /^dataset\/\d+$/],
      ] as const) {
        await page.getByRole("button", { name: "Create category" }).first().click();
        await dialog().getByLabel("Name").fill(name);
        await confirmFailing({ method: "POST", path }, failure, "Create");
        expect(await categoriesNamed(name)).toHaveLength(1);
        expect(await names()).toContain(name);
      }
    });

    test("what is drawn and labelled while sending fails is stored once", async () => {
      const id = shop.image({ unavailable: "a", cut: "c", silent: "e" }[failure]);
      const edits = { method: "POST", path: /^annotator\/edits$/ };
      await desk.open(id);
      await desk.saved();
      const { at } = await desk.fit(80, 60);
      const drawing = await failOnce(page, edits, failure);
      await page.keyboard.press("r");
      await desk.drag([at(10, 10), at(40, 40)]);
      await drawing.failed();
      await desk.drag([at(45, 10), at(70, 40)]);
      await desk.saved();
      expect((await desk.annotations(id)).map(({ isbbox }) => isbbox)).toEqual([true, true]);

      const pear = page.getByRole("checkbox", { name: "pear" });
      await page.keyboard.press("l");
      const labelling = await failOnce(page, edits, failure);
      await pear.click();
      await labelling.failed();
      await pear.click();
      await pear.click();
      await desk.saved();
      await expect(pear).toBeChecked();
      const { image, categories } = await desk.scene(id);
      const ids = categories.filter(({ name }) => ["apple", "pear"].includes(name)).map((category) => category.id);
      expect(image.category_ids).toEqual(ids.toSorted((a, b) => a - b));
      await page.keyboard.press("l");
    });

    test("an imported dataset has its annotations once, whichever call fails", async () => {
      const categories = [{ id: 1, name: `of ${failure}` }];
      const images = [{ id: 1, file_name: "one.png", width: 80, height: 60 }];
      const annotations = [
        { id: 1, image_id: 1, category_id: 1, bbox: [1, 1, 20, 20], segmentation: [[1, 1, 21, 1, 21, 21]] },
      ];
      const coco = Buffer.from(JSON.stringify({ categories, images, annotations }));
      const calls = [
        {
          method: "POST",
          path: /^dataset\/$/,
          again: async () => void (failure === "silent" && (await press("Import").click())),
        },
        { method: "POST", path: /^dataset\/\d+\/upload$/, again: () => press("Try again").click() },
        { method: "POST", path: /^dataset\/\d+\/coco$/, again: () => press("Try again").click() },
        { method: "GET", path: /^tasks\/$/, again: async () => undefined },
      ];
      for (const [n, { again, ...call }] of calls.entries()) {
        // A page waits longer for queries and uploads than for commands: too long for this test.
        if (failure === "silent" && n > 0) continue;
        const name = `imported ${failure} ${n}`;
        await go("datasets");
        await page.getByRole("button", { name: "Import", exact: true }).click();
        await dialog()
          .locator('input[type="file"]')
          .first()
          .setInputFiles({ name: "coco.json", mimeType: "application/json", buffer: coco });
        await dialog()
          .locator('input[type="file"][multiple]')
          .first()
          .setInputFiles({ name: "one.png", mimeType: "image/png", buffer: await bandedImage(80, 60) });
        await dialog().getByLabel("Dataset Name").fill(name);
        const { failed } = await failOnce(page, call, failure);
        await press("Import").click();
        await failed();
        await again();
        await press("Open dataset").click();
        await expect(page.getByRole("heading", { name })).toBeVisible();
        const [made, ...others] = await datasetsNamed(name);
        expect(others).toEqual([]);
        const stored = await desk.api<{ images: { num_annotations: number }[] }>("GET", `dataset/${made?.id}/data`);
        expect(stored.images.map(({ num_annotations }) => num_annotations)).toEqual([1]);
      }
    });

    test("a list that failed to load is requested again, by the page or by a button", async () => {
      const lists = [
        { path: /^dataset\/data$/, at: "datasets", seen: () => page.getByRole("article", { name: "Shop" }) },
        {
          path: /^dataset\/\d+\/data$/,
          at: `dataset/${shop.id}`,
          seen: () => page.getByRole("article", { name: "a.png" }),
        },
        { path: /^category\/data$/, at: "categories", seen: () => page.getByRole("article", { name: "apple" }) },
        {
          path: /^undo\/list\/$/,
          at: "undo",
          seen: () => page.getByRole("main").getByText(/^\d+ items?$|^Nothing to undone!$/),
        },
        {
          path: /^admin\/users$/,
          at: "admin/panel",
          seen: () => page.getByRole("cell", { name: "dave", exact: true }),
        },
        {
          path: /^annotator\/data\/\d+$/,
          at: `annotate/${shop.image("a")}`,
          seen: () => page.getByRole("application"),
        },
      ];
      for (const { path, at, seen } of lists) {
        const { failed } = await failOnce(page, { method: "GET", path }, failure);
        await go(at);
        await failed();
        if (failure === "silent") {
          const message = page.getByText("The server has not responded for a minute.");
          // On a busy machine the page notices the silence, and loads the list itself before it reports a failure, or
          // before the button is pressed.
          await expect(message.or(seen()).first()).toBeVisible();
          const again = page.getByRole("button", { name: "Try again" });
          await expect(again.or(seen()).first()).toBeVisible();
          await again.click({ timeout: 1000 }).catch(() => undefined);
        }
        await expect(seen()).toBeVisible();
      }
    });

    test("a password is changed once, and its user stays logged in", async ({ browser }) => {
      const user = { username: `pat.${failure}`, password: "correct horse" };
      await desk.api("POST", "admin/user/", user);
      const away = await browser.newContext();
      const own = { page };
      try {
        page = await away.newPage();
        await page.clock.install();
        await page.request.post(`${server.url}api/user/login`, { data: user });
        await go("user");
        await page.getByLabel("Current Password").fill(user.password);
        await page.getByLabel("New Password", { exact: true }).fill("battery staple");
        await page.getByLabel("Confirm New Password").fill("battery staple");
        const { failed } = await failOnce(page, { method: "POST", path: /^user\/password$/ }, failure);
        await page.getByRole("button", { name: "Change Password" }).click();
        await failed();
        if (failure === "silent") {
          await expect(failureToast().first()).toBeVisible();
          await page.getByRole("button", { name: "Change Password" }).click();
        }
        await expect(page.getByText("Password has been changed")).toBeVisible();
        await expect(failureToast()).toHaveCount(0);
        await expect(page.getByLabel("Current Password")).toHaveValue("");
        await page.reload();
        await expect(page.getByRole("heading", { name: `Hello, ${user.username}` })).toBeVisible();
        const log = (password: string) =>
          page.request.post(`${server.url}api/user/login`, { data: { ...user, password } });
        expect((await log(user.password)).status()).not.toBe(200);
        expect((await log("battery staple")).status()).toBe(200);
      } finally {
        ({ page } = own);
        await away.close();
      }
    });

    test("an account is registered once, and its user is signed in", async ({ browser }) => {
      const name = `new.${failure}`;
      const away = await browser.newContext();
      const own = { page };
      try {
        page = await away.newPage();
        await page.clock.install();
        await go("auth");
        await page.getByRole("tab", { name: "Register" }).click();
        await page.getByLabel("Username").fill(name);
        await page.getByLabel("Password", { exact: false }).first().fill("correct horse");
        await page.getByLabel("Confirm Password").fill("correct horse");
        const { failed } = await failOnce(page, { method: "POST", path: /^user\/register$/ }, failure);
        await page.getByRole("button", { name: "Register" }).click();
        await failed();
        if (failure === "unavailable") {
          await expect(failureToast().first()).toBeVisible();
          await page.getByRole("button", { name: "Register" }).click();
        }
        await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
      } finally {
        ({ page } = own);
        await away.close();
      }
      expect((await usernames()).filter((each) => each === name)).toHaveLength(1);
    });
  });
}

test("an image whose file could not be loaded is shown when the server is back", async () => {
  // An image that was opened before would be shown from this browser.
  const away = await desk.plainDataset("Away", ["apple"], ["unopened"], 80, 60);
  const file = `**/api/image/${away.image("unopened")}`;
  await page.route(
    file,
    async (route) => {
      await expect(page.getByRole("application")).toBeVisible();
      await context.setOffline(true);
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await go(`annotate/${away.image("unopened")}`);
  await expect(page.getByRole("alert").filter({ hasText: "The image cannot be shown" })).toBeVisible();
  await expect(page.locator(".annotator-image")).toBeHidden();
  await context.setOffline(false);
  await expect(page.locator(".annotator-image")).toBeVisible();
});

test("no page has reported an error", () => {
  // The browser logs every failed response and every broken connection.
  expect(
    problems.filter((each) => !/status of 503|ERR_CONNECTION_RESET|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(each)),
  ).toEqual([]);
});
