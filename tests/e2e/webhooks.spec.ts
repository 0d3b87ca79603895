import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "../support/accessibility";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { createDataset, register } from "../support/userSteps";
import { startReceiver, type WebhookReceiver } from "../support/webhookReceiver";

/** A dataset's owner adds a webhook on the settings tab, tries it, repairs its receiver and deletes it. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let receiver: WebhookReceiver;
let page: Page;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer({ WEBHOOKS_PRIVATE: "true" });
  receiver = await startReceiver();
  page = await browser.newPage();
  await register(page, server.url);
  await createDataset(page, "Cars");
  await page.goto(`${server.url}dataset/1`);
  await page.getByRole("tab", { name: "Settings" }).click();
});
test.afterAll(async () => {
  receiver.close();
  await page.close();
  await server.remove();
});

const dialog = () => page.getByRole("dialog");
const row = () => page.getByRole("listitem", { name: receiver.url });
const command = async (name: string) => {
  await page.getByRole("button", { name: `Commands for ${receiver.url}` }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
};

test("an address without a scheme and a form without events are refused before they are sent", async () => {
  await page.getByRole("button", { name: "Add webhook" }).click();
  await dialog().getByLabel("Address").fill("example.org/limn");
  await dialog()
    .getByRole("checkbox", { name: /image\.done|marked as done/ })
    .uncheck();
  await dialog().getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog().getByText("Must be an http or https address")).toBeVisible();
  await expect(dialog().getByText("Choose at least one event")).toBeVisible();
  await expectAccessible(page);
});

test("a new webhook shows the server's secret once", async () => {
  await dialog().getByLabel("Address").fill(receiver.url);
  await dialog()
    .getByRole("checkbox", { name: /A task has ended/ })
    .check();
  await dialog().getByRole("button", { name: "Add webhook" }).click();
  const secret = dialog().getByRole("textbox", { name: "Secret" });
  await expect(secret).toHaveValue(/^whsec_.{43}$/);
  receiver.secret = await secret.inputValue();
  await dialog().getByRole("button", { name: "Done" }).click();
  await expect(row()).toContainText("task.ended");
});

test("a failed test message shows its reason, and arrives with a signature when it is sent again", async () => {
  receiver.answer = (response) => response.writeHead(500).end("out of paper");
  await command("Send a test message");
  await expect.poll(() => receiver.received.length).toBe(1);
  await command("Deliveries");
  await expect(dialog().getByText(/500/)).toBeVisible();
  receiver.answer = (response) => response.writeHead(204).end();
  await dialog().getByRole("button", { name: "Send again" }).click();
  await expect(dialog().getByText("Delivered")).toBeVisible();
  await dialog().getByRole("button", { name: "ping" }).click();
  await expect(dialog().getByText('"event": "ping"')).toBeVisible();
  await expectAccessible(page);
  const last = receiver.received.at(-1);
  expect(last).toMatchObject({ event: "ping", isSigned: true, eventId: receiver.received[0]?.eventId });
  await page.keyboard.press("Escape");
  await expect(dialog()).toHaveCount(0);
  await expect(row()).not.toContainText(/failure|waiting/);
});

test("a webhook is switched off and edited, keeps its secret, and is deleted after a question", async () => {
  await row().getByRole("switch").press("Space");
  await expect(row().getByRole("switch")).not.toBeChecked();
  await command("Edit");
  await dialog()
    .getByRole("checkbox", { name: /marked as done/ })
    .check();
  await dialog()
    .getByRole("checkbox", { name: /A task has ended/ })
    .uncheck();
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect(row()).not.toContainText("task.ended");
  await row().getByRole("switch").press("Space");
  await expect(row().getByRole("switch")).toBeChecked();
  const before = receiver.received.length;
  await command("Send a test message");
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  expect(receiver.received.at(-1)?.isSigned).toBe(true);
  await command("Delete");
  await dialog().getByRole("button", { name: "Delete" }).click();
  await expect(row()).toHaveCount(0);
});
