import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveServer, startLiveServer } from "../../../support/liveServer";
import { TestClient } from "../../../support/testClient";
import { startReceiver, type WebhookReceiver } from "../../../support/webhookReceiver";

describe("webhooks of a server that is killed", () => {
  let server: LiveServer;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    server = await startLiveServer({ WEBHOOKS_PRIVATE: "true" });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    receiver?.close();
    await server?.remove();
  });

  it("sends an event again, with the same id, that was on its way, and also one that was only stored", async () => {
    const client = new TestClient(server.url);
    await client.post("user/register", { username: "ada", password: "correct horse" });
    const { body: dataset } = await client.post("dataset/", { name: "Harbour", categories: ["boat"] });
    const form = new FormData();
    const color = { create: { width: 64, height: 48, channels: 3 as const, background: "#336699" } };
    const jpeg = await sharp(color).jpeg().toBuffer();
    form.append("files", new Blob([new Uint8Array(jpeg)]), "quay.jpg");
    const [image] = (await client.post(`dataset/${dataset.id}/upload`, undefined, { body: form })).body.files;
    const hook = { url: receiver.url, secret: receiver.secret, events: ["annotations.changed"] };
    expect((await client.post(`dataset/${dataset.id}/webhooks`, hook)).status).toBe(200);
    const annotate = () =>
      client.post("annotation/", { image_id: image.id, category_id: dataset.categories[0], bbox: [1, 2, 3, 4] });

    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    receiver.answer = () => arrived();
    await annotate();
    await arrival;
    await annotate();
    await server.kill();
    receiver.answer = (response) => response.writeHead(204).end();
    await server.start();
    await expect.poll(() => receiver.received.length).toBe(3);
    const [first, again, other] = receiver.received;
    expect(again).toEqual(first);
    expect(other?.eventId).not.toBe(first?.eventId);
    expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
  });
});
