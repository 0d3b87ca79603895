import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible } from "../support/accessibility";
import { upright } from "../support/images";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { specFolder } from "../support/specFolder";
import {
  addImages,
  chooseInSidebar,
  clickAt,
  createDataset,
  imageFrame,
  type Point,
  register,
  waitUntilSaved,
} from "../support/userSteps";
import { WITH_MOTION } from "../support/withMotion";

test.use(WITH_MOTION);

/** The pages around the annotator, in a real browser. */
const folder = specFolder();
const files: string[] = [];

test.beforeAll(async () => {
  mkdirSync(join(folder, "trip", "sea"), { recursive: true });
  for (const name of ["a.png", "b.png", "trip/c.png", "trip/sea/d.png"]) {
    const path = join(folder, name);
    writeFileSync(
      path,
      await upright(10 + files.length)
        .png()
        .toBuffer(),
    );
    files.push(path);
  }
});

test.describe("with login", () => {
  test.describe.configure({ mode: "serial" });
  let server: LiveServer;
  let page: Page;
  const problems: string[] = [];

  test.beforeAll(async ({ browser }) => {
    server = await startLiveServer({}, { isEmbedded: true });
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.text().includes("Content Security") && problems.push(message.text()));
  });
  test.afterAll(async () => {
    await page.close();
    await server.remove();
  });

  test("the first account is requested with its rules, then the requested page opens", async () => {
    await page.goto(`${server.url}categories?page=1`);
    await expect(page.getByText("create an admin account")).toBeVisible();
    await expect(page.getByRole("tab", { name: "Login" })).toHaveCount(0);
    await expect(page.getByRole("banner")).toHaveCount(0);
    await page.getByLabel("Username").fill("not valid");
    await page.getByLabel("Password", { exact: false }).first().fill("1234");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("Invalid username format")).toBeVisible();
    await expect(page.getByText("Minimum length of 5 characters.")).toHaveCount(2);
    await page.getByLabel("Username").fill("ada");
    await page.getByLabel("Password", { exact: false }).first().fill("12345");
    await page.getByLabel("Confirm Password").fill("12345");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("You need to create a category!")).toBeVisible();
    await expect(page).toHaveURL(/categories\?page=1$/);
    await expect(page.getByRole("status", { name: "Connected to backend" })).toBeVisible();
  });

  test("a category is created with keypoints, changed, and deleted after a confirmation", async () => {
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("face");
    await page.getByRole("button", { name: "Add keypoint" }).click();
    await page.getByLabel("Label of keypoint 1").fill("eye");
    await page.getByRole("button", { name: "Add keypoint" }).click();
    await page.getByLabel("Label of keypoint 2").fill("eye");
    await expect(page.getByText("Duplicate keypoint label")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Create Category" })).toBeDisabled();
    await page.getByLabel("Label of keypoint 2").fill("nose");
    await page.getByRole("combobox", { name: "Keypoint 1 is connected to" }).click();
    await page.getByRole("option", { name: "nose" }).click();
    await page.getByRole("button", { name: "Create Category" }).click();
    await expect(page.getByText("No annotations use this category")).toBeVisible();
    await expect(page.getByText("2 keypoints")).toBeVisible();

    await page.getByRole("button", { name: "Menu of face" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await expect(page.getByLabel("Label of keypoint 1")).toHaveValue("eye");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("head");
    await page.getByRole("button", { name: "Update" }).click();
    await expect(page.getByText("Category successfully updated")).toBeVisible();

    await page.getByRole("button", { name: "Menu of head" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("You need to create a category!")).toBeVisible();
  });

  test("Escape closes only an open colour picker, and a click outside a changed form loses nothing", async () => {
    const dialog = page.getByRole("dialog", { name: "Creating a Category" });
    const picker = page.getByRole("slider", { name: "Hue" });
    const beside = () => page.mouse.click(20, 500);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(dialog).toBeVisible();
    await beside();
    await expect(dialog).toBeHidden();

    await page.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.getByRole("button", { name: "Add keypoint" }).click();
    for (const field of ["Color", "Color of keypoint 1"]) {
      await dialog.getByLabel(field, { exact: true }).click();
      await expect(picker).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(picker).toHaveCount(0);
      await expect(dialog.getByLabel(field, { exact: true })).toBeFocused();
    }
    await beside();
    await expect(picker).toHaveCount(0);
    await expect(dialog.getByLabel("Color of keypoint 1")).toBeVisible();
    await dialog.getByLabel("Color", { exact: true }).fill("#12");
    await expect(dialog.getByText("Invalid HEX color.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(picker).toHaveCount(0);
    const question = page.getByRole("dialog", { name: "Discard your changes?" });
    const name = dialog.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("half");
    await page.keyboard.press("Escape");
    await expect(question.getByRole("button", { name: "Keep editing" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(name).toHaveValue("half");
    await name.press("Escape");
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(dialog).toBeHidden();
    await expect(question).toBeHidden();
  });

  test("a dataset requires a name, shows its folder, and opens once created", async () => {
    await page.getByRole("link", { name: "Datasets" }).click();
    await expect(page.getByText("You need to create a dataset!")).toBeVisible();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("button", { name: "Create Dataset" }).click();
    await expect(page.getByText("Dataset name is required")).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await createDataset(page, "Holidays");
    await expect(page.getByText("/datasets/Holidays/")).toBeVisible();
  });

  test("a dataset is renamed by its owner, and keeps its folder", async () => {
    for (const [from, to] of [
      ["Holidays", "Trips"],
      ["Trips", "Holidays"],
    ] as const) {
      await page.getByRole("link", { name: "Datasets" }).click();
      await page.getByRole("button", { name: `Menu of ${from}` }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.getByRole("dialog").getByLabel("Dataset Name").fill(to);
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("dialog")).toBeHidden();
      await page.getByRole("link", { name: to, exact: true }).click();
      await expect(page.getByRole("heading", { name: to })).toBeVisible();
      await expect(page.getByText("/datasets/Holidays/")).toBeVisible();
    }
  });

  test("uploads report the outcome of each file", async () => {
    const broken = join(folder, "broken.jpg");
    writeFileSync(broken, "no image");
    await page
      .locator('input[type="file"][multiple]')
      .first()
      .setInputFiles([...files.slice(0, 2), broken]);
    await expect(page.getByText("2 added, 1 failed")).toBeVisible();
    await expect(page.getByRole("status", { name: "Uploads" }).getByText("broken.jpg")).toBeVisible();
    await page.getByRole("status", { name: "Uploads" }).getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("article")).toHaveCount(2);
    await expect(page.getByText("2 images, 1 page")).toBeVisible();
  });

  test("an uploaded folder keeps its structure, and can be browsed with back and forward", async () => {
    await page.locator("input[webkitdirectory]").setInputFiles(join(folder, "trip"));
    await expect(page.getByText("2 added")).toBeVisible();
    await page.getByRole("button", { name: "trip" }).click();
    await expect(page).toHaveURL(/folder=trip$/);
    await expect(page.getByRole("article")).toHaveCount(2);
    await page.getByRole("button", { name: "sea" }).click();
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page.getByText("No subdirectory found.")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("article")).toHaveCount(2);
    await page.getByRole("navigation", { name: "Folder" }).getByRole("button", { name: "Holidays" }).click();
    await expect(page.getByRole("article")).toHaveCount(4);
  });

  test("images can be dropped anywhere on the page", async () => {
    const transfer = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" }));
        return data;
      },
      [...(await upright(17).png().toBuffer())],
    );
    await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    await expect(page.getByText("Drop images, folders or zip files", { exact: true })).toBeVisible();
    await page.dispatchEvent(".mantine-Dropzone-root", "drop", { dataTransfer: transfer });
    await expect(page.getByRole("article", { name: "dropped.png" })).toBeVisible();
  });

  test("filters are part of the address and survive a reload", async () => {
    await page.getByLabel("Contains").fill("c.p");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/file_name__icontains=c\.p/);
    await expect(page.getByRole("article")).toHaveCount(1);
    await page.reload();
    await expect(page.getByLabel("Contains")).toHaveValue("c.p");
    await expect(page.getByRole("article", { name: "c.png" })).toBeVisible();
    const link = page.getByRole("article").getByRole("link").first();
    await expect(link).toHaveAttribute("href", /annotate\/\d+\?file_name__icontains=c\.p$/);
    await page.getByText("Show Not Annotated").click();
    await expect(page.getByText("No images found in directory.")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page.getByRole("article")).toHaveCount(5);
  });

  test("images are filtered by file name while typing, and the next click is not lost", async () => {
    const field = page.getByLabel("Contains");
    const places = () => page.evaluate(() => history.length);
    const before = await places();
    await field.pressSequentially("a.p");
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(field).toBeFocused();
    await field.pressSequentially("ng");
    await expect(page).toHaveURL(/file_name__icontains=a\.png$/);
    expect(await places()).toBe(before);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(field).toHaveValue("");
    await expect(page.getByRole("article")).toHaveCount(5);

    // A slow press: the filtered list may arrive before the button is released.
    await field.fill("a.p");
    const tick = page.getByRole("checkbox", { name: "Select a.png" });
    await tick.click({ delay: 700 });
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(tick).toBeChecked();
    await tick.uncheck();
    await field.fill("c.p");
    await page.getByRole("article", { name: "c.png" }).getByRole("link").first().click({ delay: 700 });
    await expect(page).toHaveURL(/annotate\/\d+\?file_name__icontains=c\.p$/);
    await page.goBack();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page.getByRole("article")).toHaveCount(5);
  });

  test("the sidebar's width and the tab are remembered", async () => {
    const sidebar = page.getByRole("complementary", { name: "Dataset" });
    const before = (await sidebar.boundingBox())!.width;
    await page.getByRole("separator", { name: "Width of the sidebar" }).focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await sidebar.boundingBox())!.width).not.toBe(before);
    const wide = (await sidebar.boundingBox())!.width;
    await page.getByRole("tab", { name: "Exports" }).click();
    await page.reload();
    await expect(page.getByRole("tab", { name: "Exports" })).toHaveAttribute("aria-selected", "true");
    await expect.poll(async () => Math.abs((await sidebar.boundingBox())!.width - wide)).toBeLessThan(3);
    await page.getByRole("tab", { name: "Images" }).click();
  });

  test("on a narrow screen the sidebar is collapsed above the images, which fit the screen", async () => {
    const usual = page.viewportSize()!;
    await page.setViewportSize({ width: 375, height: 740 });
    const field = page.getByLabel("Contains");
    await expect(field).toBeHidden();
    const { x, width } = (await page.getByRole("article").first().boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(375);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByText("Upload, tasks and filters").click();
    await field.fill("b.p");
    await expect(page.getByRole("article")).toHaveCount(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.setViewportSize(usual);
    await expect(page.getByRole("separator", { name: "Width of the sidebar" })).toBeVisible();
  });

  test("a form keeps what was typed when the screen becomes narrow and wide again", async () => {
    const usual = page.viewportSize()!;
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Add webhook" }).click();
    const address = page.getByRole("dialog").getByLabel("Address");
    await address.fill("https://example.org/limn");
    for (const size of [{ width: 400, height: 800 }, usual]) {
      await page.setViewportSize(size);
      await expect(page.getByText("Upload, tasks and filters")).toBeVisible({ visible: size.width === 400 });
      await expect(address).toHaveValue("https://example.org/limn");
    }
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("tab", { name: "Images" }).click();
  });

  test("the page is readable in contrast themes, with large text, and on paper", async () => {
    const tab = page.getByRole("tab", { name: "Images" });
    const styleOf = (target: Locator, property: string) =>
      target.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    const others = page.getByRole("tab", { name: "Exports" });
    await page.emulateMedia({ forcedColors: "active" });
    expect(await styleOf(tab, "background-color")).not.toBe(await styleOf(others, "background-color"));
    await page.emulateMedia({ forcedColors: "none", media: "print" });
    for (const name of ["Dataset", "Main"])
      await expect(page.locator(`aside[aria-label="${name}"], nav[aria-label="${name}"]`)).toBeHidden();
    await expect(page.getByRole("button", { name: "Add images" })).toBeHidden();
    await expect(page.getByRole("article").last()).toBeVisible();
    await page.emulateMedia({ media: "screen" });
    const button = page.getByRole("button", { name: "Add images" });
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    const [height, text] = [
      (await button.boundingBox())!.height,
      Number.parseFloat(await styleOf(button, "font-size")),
    ];
    expect(height).toBeGreaterThan(1.5 * text);
    const cut = page.locator("aside .mantine-Button-label").evaluateAll((labels) => {
      return labels.filter((label) => label.scrollWidth > label.clientWidth + 1).map((label) => label.textContent);
    });
    expect(await cut).toEqual([]);
    await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
  });

  test("an image is deleted after a confirmation", async () => {
    await page.getByRole("button", { name: "Menu of dropped.png" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("article")).toHaveCount(4);
  });

  test("images are selected one by one, with Shift or all at once, marked, moved and deleted, and each command is undone", async () => {
    const tick = (name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
    const bar = page.getByRole("toolbar", { name: "Selected images" });
    await tick("a.png").click();
    await tick("c.png").click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("3 images selected");
    await bar.getByRole("button", { name: "Done", exact: true }).click();
    await expect(page.getByRole("article").filter({ hasText: "Done" })).toHaveCount(3);
    await expect(page.getByRole("region", { name: "Images of this folder" })).toBeFocused();
    await page.keyboard.press("Control+z");
    await expect(page.getByText("3 images were put back.")).toBeVisible();
    await expect(page.getByRole("article").filter({ hasText: "Done" })).toHaveCount(0);
    await page.keyboard.press("Control+a");
    await bar.getByRole("button", { name: "Move" }).click();
    await page.getByRole("dialog").getByLabel("Folder").fill("all of them");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "all of them" })).toBeVisible();
    await page.getByRole("button", { name: "Undo", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "trip", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "all of them" })).toHaveCount(0);
    await page.keyboard.press("Control+a");
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("No images found in directory.")).toBeVisible();
    await expect(page.getByRole("region", { name: "Images of this folder" })).toBeFocused();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByRole("article")).toHaveCount(4);
  });

  test("a scan finds new files in the folder, and the list shows them without a reload", async () => {
    writeFileSync(join(server.dataDir, "datasets", "Holidays", "found.png"), await upright(30).png().toBuffer());
    await chooseInSidebar(page, "Scan");
    await expect(page.getByRole("article", { name: "found.png" })).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Scanning" })).toHaveCount(0);
    await page.getByRole("link", { name: "Tasks" }).click();
    await expect(page.getByRole("heading", { name: "0 tasks are running" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Directory Image Scan" })).toBeVisible();
  });

  test("an export appears under Exports and can be downloaded", async () => {
    await page.goto(`${server.url}dataset/1`);
    await chooseInSidebar(page, "Export COCO");
    await page.getByLabel("Include unannotated images").check();
    await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    await expect(page.getByText("The export is ready on the Exports tab.")).toBeVisible();
    await page.getByRole("tab", { name: "Exports" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Holidays-\d+\.json$/);
    await page.getByRole("button", { name: /^Delete export/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("No exports yet")).toBeVisible();
  });

  test("versions keep the dataset under names, and can be compared and deleted", async () => {
    const keep = async (name: string, note: string) => {
      await page.getByRole("button", { name: "Name this moment…" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(name);
      await page.getByRole("textbox", { name: "Note" }).fill(note);
      await page.getByRole("button", { name: "Keep this version" }).click();
      await expect(page.getByRole("button", { name: `Download version ${name}` })).toBeVisible();
    };
    await page.goto(`${server.url}dataset/1`);
    await page.getByRole("tab", { name: "Exports" }).click();
    await keep("v1", "for training");
    await keep("v2", "");
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download version v1" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("Holidays-v1.json");
    await page.getByRole("button", { name: "Compare version v2" }).click();
    const dialog = page.getByRole("dialog", { name: "Compare versions" });
    await expect(dialog.getByText("Images and annotations are the same.")).toBeVisible();
    await page.keyboard.press("Escape");
    for (const name of ["v1", "v2"]) {
      await page.getByRole("button", { name: `Delete version ${name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await expect(page.getByRole("button", { name: `Delete version ${name}` })).toBeHidden();
    }
  });

  test("a finished task's Delete button is beside the place of Cancel, not in it", async () => {
    let isRunning = true;
    await page.route("**/api/tasks/", async (route) => {
      const response = await route.fetch();
      const [task] = await response.json();
      const running = isRunning && { completed: false, state: "running", progress: 40 };
      await route.fulfill({ json: [{ ...task, ...running }] });
    });
    await page.goto(`${server.url}tasks`);
    const cancel = (await page.getByRole("button", { name: "Cancel" }).boundingBox())!;
    isRunning = false;
    await page.getByRole("button", { name: "Refresh" }).click();
    const removal = (await page.getByRole("button", { name: /Delete task/ }).boundingBox())!;
    expect(removal.x).toBeGreaterThanOrEqual(cancel.x + cancel.width);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("deleting the last account of a page leads to the previous page", async () => {
    for (let i = 0; i < 50; i++)
      await page.request.post(`${server.url}api/admin/user/`, {
        headers: { Origin: new URL(server.url).origin },
        data: { username: `user-${i}`, password: "a long password" },
      });
    await page.goto(`${server.url}admin/panel?page=2`);
    await page.getByRole("button", { name: /^Delete / }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("button", { name: /^Edit / })).toHaveCount(50);
    await expect(page).toHaveURL(/admin\/panel$/);
  });

  test("an unknown page shows a message inside the frame", async () => {
    await page.goto(`${server.url}no/such/page`);
    await expect(page.getByText("Sorry! 404 Error")).toBeVisible();
    await expect(page.getByText("Could not find the page you are looking for.")).toBeVisible();
    await expect(page.getByRole("banner")).toBeVisible();
  });

  test("a redirect never leads to another site", async () => {
    await page.goto(`${server.url}auth?redirect=${encodeURIComponent("//example.com/")}`);
    await expect(page).toHaveURL(`${server.url}datasets`);
  });

  test("a lost connection is reported, and restored automatically", async () => {
    await page.goto(`${server.url}datasets`);
    await expect(page.getByRole("status", { name: "Connected to backend" })).toBeVisible();
    await server.stop();
    // The toast stays while the pointer is on it.
    await page.getByText("Connection lost to the backend").hover();
    await expect(page.getByRole("button", { name: "Create", exact: true })).toBeDisabled();
    await expect(page.getByText(/^Offline since/)).toHaveCount(0);
    await page.getByRole("button", { name: "Close message" }).click();
    await expect(page.getByText(/^Offline since/)).toBeVisible();
    await page.getByRole("link", { name: "Categories" }).click();
    await expect(page.getByText("Not available offline", { exact: true })).toBeVisible();
    await server.start();
    await expect(page.getByText("You need to create a category!")).toBeVisible();
    await expect(page.getByText("Connection lost to the backend")).toBeHidden();
  });

  test("nothing is shown after signing out, not even by going back", async () => {
    await page.getByRole("button", { name: "Account of ada" }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await expect(page.getByRole("tab", { name: "Login" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("tab", { name: "Login" })).toBeVisible();
    await page.getByLabel("Username").fill("ada");
    await page.getByRole("textbox", { name: "Password" }).fill("wrong");
    await page.getByRole("button", { name: "Login" }).click();
    const failure = page.getByText("Could not authenticate user");
    await expect(failure).toBeVisible();
    await page.getByRole("textbox", { name: "Password" }).fill("12345");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("link", { name: "Holidays" }).first()).toBeVisible();
    await expect(failure).toHaveCount(0, { timeout: 4000 });
  });

  test("no script has failed and no content security policy was violated", () => {
    expect(problems).toEqual([]);
  });
});

test.describe("without login", () => {
  test.describe.configure({ mode: "serial" });
  let server: LiveServer;
  test.beforeAll(async () => {
    server = await startLiveServer({ LOGIN_DISABLED: "true" });
  });
  test.afterAll(() => server.remove());

  test("the demo leads to the first box in five actions, with a tour that stays closed once it was ended", async ({
    page,
  }) => {
    await page.goto(server.url);
    await page.getByRole("button", { name: "Try the demo" }).click();
    const tour = page.getByRole("region", { name: "Tour" });
    await expect(tour).toContainText("Draw your first box");
    await page.keyboard.press("r");
    const frame = await imageFrame(page, 960, 640);
    const corners: Point[] = [
      [0.1, 0.1],
      [0.3, 0.4],
    ];
    await clickAt(page, corners.map(frame.at));
    await waitUntilSaved(page);

    await expectAccessible(page, "tour");
    await tour.getByRole("button", { name: "Next" }).click();
    await expect(tour).toContainText("Choose what it is");
    await page.keyboard.press("Escape");
    await expect(tour).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("button", { name: "BBox Tool" })).toBeVisible();
    await expect(tour).toHaveCount(0);
    await page.goto(`${server.url}help`);
    await page.getByRole("button", { name: "Tour of the annotator" }).click();
    await expect(tour).toContainText("Draw your first box");
  });

  test("thumbnails show outlines, which can be hidden, and arrow keys move between the cards", async ({ page }) => {
    await page.goto(server.url);
    await expect(page.getByText("6 of 8 images annotated")).toBeVisible();
    await expect(page.getByRole("article", { name: "Demo" }).locator("img")).toHaveCount(4);
    await page.getByRole("link", { name: "Demo", exact: true }).click();
    const outlines = page.getByRole("article").locator("a > svg");
    await expect(outlines).toHaveCount(6);
    await expectAccessible(page, "outlines");
    await page.getByRole("button", { name: "Outlines on thumbnails" }).click();
    await expect(outlines).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("article")).toHaveCount(8);
    await expect(outlines).toHaveCount(0);
    await page.getByRole("button", { name: "Outlines on thumbnails" }).click();
    await expect(outlines).toHaveCount(6);

    const card = (name: string) => page.getByRole("article", { name });
    await card("fruit 1.jpg")
      .getByRole("link", { name: /fruit 1/ })
      .focus();
    await page.keyboard.press("ArrowRight");
    await expect(card("fruit 2.jpg").getByRole("link", { name: /fruit 2/ })).toBeFocused();
    await page.keyboard.press("Space");
    await expect(card("fruit 2.jpg").getByRole("checkbox")).toBeChecked();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Space");
    await expect(page.getByText("7 images selected")).toBeVisible();
  });

  test("the list of datasets works where the code for offline copies cannot be loaded", async ({ page }) => {
    await page.route(/CopyMark/, (route) => route.abort());
    const refused = page.waitForEvent("requestfailed", (request) => /CopyMark/.test(request.url()));
    await page.goto(`${server.url}datasets`);
    await refused;
    await page.getByRole("button", { name: "Help" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("article")).toHaveCount(1);
  });

  test("there is no user menu and no creator", async ({ page }) => {
    await page.goto(server.url);
    await createDataset(page, "Open");
    await addImages(page, files.slice(0, 1));
    for (const name of ["Statistics", "Members", "Settings"]) {
      await page.getByRole("tab", { name }).click();
      await expect(
        page.getByText({ Statistics: "Total", Members: "Group", Settings: "Metadata" }[name] ?? "").first(),
      ).toBeVisible();
      await expectAccessible(page, `login off ${name}`);
    }
    await page.getByRole("link", { name: "Datasets" }).click();
    await expect(page.getByText("0 of 1 images annotated")).toBeVisible();
    await expect(page.getByText("Created by")).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Account of/ })).toHaveCount(0);
  });
});

test.describe("installed under a base path", () => {
  test.use({ serviceWorkers: "allow" });

  test("opens offline with the remembered user, and is still isolated", async ({ page }) => {
    const server = await startLiveServer({ BASE_PATH: "/limn/" });
    try {
      await register(page, server.url);
      await expect(page).toHaveURL(`${server.url}datasets`);
      const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
      expect(scope).toBe(server.url);

      await server.stop();
      await page.goto(`${server.url}dataset/7?page=2`);
      await expect(page.getByText(/^Offline( since| ·)/)).toBeVisible();
      await expect(page.getByRole("button", { name: "Account of ada" })).toBeVisible();
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      const cached = await page.evaluate(async () => {
        const names = await caches.keys();
        const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return lists.flat().map((request) => new URL(request.url).pathname);
      });
      expect(cached.filter((path) => /\/api\/|socket\.io/.test(path))).toEqual([]);
    } finally {
      await server.remove();
    }
  });
});
