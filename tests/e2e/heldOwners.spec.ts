import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack, REFUSAL, refuseCalls } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";

/** Owners, members and settings of datasets, with late calls: what an admin or owner saw is what is done. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let shop: Awaited<ReturnType<Desk["plainDataset"]>>;

const dialog = (name?: string) => page.getByRole("dialog", name ? { name } : {});
const press = (name: string) => dialog().getByRole("button", { name, exact: true });
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
interface Card {
  id: number;
  name: string;
  owner: string | null;
  users: string[];
  default_annotation_metadata: object;
}
const cardOf = async (name: string) => {
  const { datasets } = await desk.api<{ datasets: Card[] }>("GET", "dataset/data");
  return datasets.find((card) => card.name === name);
};
const give = (id: number, username: string) => desk.api("POST", `admin/dataset/${id}/owner`, { username });
const makeDataset = (name: string) => desk.api<{ id: number }>("POST", "dataset/", { name });
const unowned = (name: string) => page.getByRole("row", { name });

async function openMenu(command: string) {
  await page.getByRole("button", { name: "Menu of Shop" }).click();
  await page.getByRole("menuitem", { name: command }).click();
}

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, []));
  for (const username of ["bob", "car", "dan"])
    await desk.api("POST", "admin/user/", { username, password: "correct horse", name: "", isAdmin: false });
  shop = await desk.plainDataset("Shop", ["apple"], ["a", "b"], 80, 60);
});
test.afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("an account is not deleted with datasets that the admin was not asked about", async () => {
  await page.goto(`${server.url}admin/panel`);
  await page.getByRole("link", { name: "Datasets" }).click();
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Delete bob" }).click();
  await expect(dialog()).not.toContainText("New owner");
  await give((await makeDataset("Late")).id, "bob");
  await press("Delete").click();
  await expect(toast("This account has 1 dataset now, not 0. Nothing was changed.")).toBeVisible();
  await dialog().getByLabel("New owner of the dataset").fill("car");
  await page.keyboard.press("Escape");
  const deletion = await holdBack(page, { method: "DELETE", path: /^admin\/user\/bob$/ });
  await press("Delete").click();
  await deletion.arrived;
  await expect(press("Cancel")).toBeDisabled();
  await page.evaluate(() => history.forward());
  await expect(dialog()).toHaveCount(0);
  await deletion.release();
  await expect(toast("The account bob was deleted.")).toBeVisible();
  expect(await cardOf("Late")).toMatchObject({ owner: "car" });
});

test("a dataset without an owner is handed over once, and not taken from an owner it got since", async () => {
  await give((await makeDataset("Spare")).id, "car");
  await page.goto(`${server.url}admin/panel`);
  await page.getByRole("button", { name: "Delete car" }).click();
  await press("Delete").click();
  await expect(unowned("Spare")).toBeVisible();
  await unowned("Late").getByLabel("New owner of Late").fill("dan");
  await page.keyboard.press("Escape");
  const handover = await holdBack(page, { method: "POST", path: /^admin\/dataset\/\d+\/owner$/ });
  await unowned("Late").getByRole("button", { name: "Hand over" }).dblclick();
  await handover.arrived;
  await page.getByRole("link", { name: "Datasets" }).click();
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await handover.release();
  await expect(toast("Late now belongs to dan.")).toHaveCount(1);
  expect(await cardOf("Late")).toMatchObject({ owner: "dan" });

  await page.goBack();
  await expect(unowned("Late")).toHaveCount(0);
  await give((await cardOf("Spare"))?.id ?? 0, "dan");
  await unowned("Spare").getByLabel("New owner of Spare").fill("ada");
  await page.keyboard.press("Escape");
  await unowned("Spare").getByRole("button", { name: "Hand over" }).click();
  await expect(toast("This dataset has been given a new owner in the meantime.")).toBeVisible();
  await expect(unowned("Spare")).toHaveCount(0);
  expect(await cardOf("Spare")).toMatchObject({ owner: "dan" });
});

test("a form that failed keeps its values, and members that another page added stay", async () => {
  await desk.api("POST", "admin/user/", { username: "eve", password: "correct horse", name: "", isAdmin: false });
  await page.goto(`${server.url}datasets`);
  await openMenu("Share");
  await dialog().getByRole("combobox", { name: "Users" }).fill("dan");
  await page.keyboard.press("Enter");
  const mend = await refuseCalls(page, { method: "POST", path: /^dataset\/\d+\/share$/ });
  await press("Share").click();
  await expect(toast(REFUSAL)).toBeVisible();
  await desk.api("POST", `dataset/${shop.id}/share`, { add: ["eve"] });
  mend();
  await press("Share").click();
  await expect(dialog()).toHaveCount(0);
  expect((await cardOf("Shop"))?.users.toSorted()).toEqual(["dan", "eve"]);
});

test("a form opened while an earlier one is being saved is not closed by it, and both changes are stored", async () => {
  const addEntry = async (place: number, key: string, value: string) => {
    await dialog().getByRole("button", { name: "Add entry" }).click();
    await dialog().getByLabel(`Key ${place}`).fill(key);
    await dialog().getByLabel(`Value ${place}`).fill(value);
  };
  await openMenu("Edit");
  await addEntry(1, "first", "1");
  const saving = await holdBack(page, { method: "POST", path: /^dataset\/\d+$/ });
  await press("Save").click();
  await saving.arrived;
  await press("Cancel").click();
  await expect(dialog()).toHaveCount(0);
  await openMenu("Edit");
  await addEntry(1, "second", "2");
  await saving.release();
  await expect(toast("The dataset was changed.")).toBeVisible();
  await expect(dialog().getByLabel("Key 1")).toHaveValue("second");
  await press("Save").click();
  await expect(dialog()).toHaveCount(0);
  expect(await cardOf("Shop")).toMatchObject({ default_annotation_metadata: { first: 1, second: 2 } });
});

test("a reset of all metadata and a deletion are reported after their page was left", async () => {
  await desk.api("POST", "dataset/", { name: "Other" });
  await page.goto(`${server.url}datasets`);
  await page.getByRole("article", { name: "Shop" }).getByRole("link", { name: "Shop" }).click();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Rest All Metadata" }).click();
  const reset = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/reset\/metadata$/ });
  await press("Reset").click();
  await reset.arrived;
  await expect(press("Cancel")).toBeDisabled();
  await page.goBack();
  await reset.release();
  await expect(toast("All metadata of Shop was reset to the default.")).toHaveCount(1);

  await page.getByRole("button", { name: "Menu of Other" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const deletion = await holdBack(page, { method: "DELETE", path: /^dataset\/\d+$/ });
  await press("Delete").click();
  await deletion.arrived;
  await page.evaluate(() => history.forward());
  await expect(page.getByRole("tab", { name: "Settings" })).toBeVisible();
  await deletion.release();
  await expect(toast("The dataset “Other” was moved to the trash.")).toHaveCount(1);
  expect(await cardOf("Other")).toBeUndefined();
});
