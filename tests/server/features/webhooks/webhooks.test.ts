import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Deliverer, startDeliverer } from "../../../../server/features/webhooks/deliver/deliverer";
import { requestCancel } from "../../../../server/queue/queue";
import { describeOnDatabases } from "../../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { startReceiver, type WebhookReceiver } from "../../../support/webhookReceiver";

const BOX = { bbox: [10, 10, 20, 30] };
const ALL = ["image.done", "annotations.changed", "task.ended"];

describeOnDatabases("webhooks", (open) => {
  let server: TestServer;
  let owner: TestUser;
  let receiver: WebhookReceiver;
  let deliverer: Deliverer;
  let dataset: number;
  let category: number;
  let image: number;
  let errors: unknown[];

  beforeAll(async () => {
    server = await startServer(await open(), { env: { WEBHOOKS_PRIVATE: "true" } });
    owner = await server.user("ada");
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    await server.db.deleteFrom("webhooks").execute();
    errors = [];
    receiver = await startReceiver();
    deliverer = newDeliverer();
    category = await seedCategory(server.db, owner.id);
    dataset = await seedDataset(server.db, { ownerId: owner.id, categories: [category] });
    image = await seedImage(server.db, dataset, "quay.jpg");
  });
  afterEach(async () => {
    await deliverer.stop();
    receiver.close();
    expect(errors).toEqual([]);
  });

  const newDeliverer = (allowPrivate = true) =>
    startDeliverer({ db: server.db, allowPrivate, alone: false, report: (error) => errors.push(error) });

  const addHook = async (events: string[] = ALL, more: Record<string, unknown> = {}) => {
    const body = { url: receiver.url, events, secret: receiver.secret, ...more };
    return (await owner.post(`dataset/${dataset}/webhooks`, body)).body;
  };
  const annotate = async (of = image) =>
    (await owner.post("annotation/", { image_id: of, category_id: category, ...BOX })).body.id;
  const hooks = async () => (await owner.get(`dataset/${dataset}/webhooks`)).body;
  const deliveries = async (hook: number) => (await owner.get(`dataset/${dataset}/webhooks/${hook}/deliveries`)).body;
  /** Lets the pauses after failures pass. */
  const passTime = async () => {
    await sql`update webhook_deliveries set next_at = now() where state = 'pending'`.execute(server.db);
    await sql`update webhooks set rest_until = null`.execute(server.db);
  };

  it("never sends a secret back, except one that the server has chosen, once", async () => {
    expect((await addHook()).secret).toBeNull();
    const { body: chosen } = await owner.post(`dataset/${dataset}/webhooks`, { url: receiver.url, events: ALL });
    expect(chosen.secret).toMatch(/^whsec_[\w-]{43}$/);
    const { text } = await owner.get(`dataset/${dataset}/webhooks`);
    expect(text).not.toContain("secret");
    const weak = await owner.post(`dataset/${dataset}/webhooks`, { url: receiver.url, events: ALL, secret: "short" });
    expect(weak.status).toBe(400);
  });

  it("sends a signed event with the annotations that one transaction has changed", async () => {
    await addHook(["annotations.changed"]);
    const id = await annotate();
    await deliverer.look();
    expect(receiver.received).toMatchObject([
      {
        event: "annotations.changed",
        isSigned: true,
        body: {
          dataset: { id: dataset },
          image: { id: image, path: "quay.jpg", num_annotations: 1, done: false },
          ...{ created: [id], modified: [], deleted: [], complete: true, users: ["ada"] },
        },
      },
    ]);
    const [first] = receiver.received;
    expect(first?.body.to_revision).toBe(first?.body.image.revision);
    await owner.put(`annotation/${id}`, { metadata: { by: "hand" } });
    await owner.delete(`annotation/${id}`);
    await deliverer.look();
    const [, modified, deleted] = receiver.received.map(({ body }) => body);
    expect(modified).toMatchObject({ created: [], modified: [id], deleted: [] });
    expect(deleted).toMatchObject({ created: [], modified: [], deleted: [id], from_revision: modified.to_revision });
  });

  it("sends one event for several changes of an image in a transaction, and none for a rolled back one", async () => {
    await addHook(["annotations.changed"]);
    const other = await seedImage(server.db, dataset, "pier.jpg");
    await server.db.transaction().execute(async (trx) => {
      for (const id of [image, other, image])
        await sql`update images set revision = revision + 1, reload_revision = revision + 1 where id = ${id}`.execute(
          trx,
        );
    });
    const undone = server.db.transaction().execute(async (trx) => {
      await sql`update images set revision = revision + 1, reload_revision = revision + 1 where id = ${image}`.execute(
        trx,
      );
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await deliverer.look();
    expect(receiver.received.map(({ body }) => [body.image.id, body.to_revision - body.from_revision])).toEqual([
      [image, 2],
      [other, 1],
    ]);
    expect(receiver.received[0]?.body).toMatchObject({ created: [], complete: false });
  });

  it("sends marks as done and their removal, but no event of annotations for them", async () => {
    await addHook();
    await owner.post(`dataset/${dataset}/images/mark`, { ids: [image], done: true });
    await deliverer.look();
    await owner.post(`dataset/${dataset}/images/mark`, { ids: [image], done: false });
    await deliverer.look();
    const done = receiver.received.filter(({ event }) => event === "image.done");
    expect(done.map(({ body }) => [body.image.id, body.done])).toEqual([
      [image, true],
      [image, false],
    ]);
  });

  it("sends the end of tasks: done, failed and cancelled", async () => {
    await addHook(["task.ended"]);
    const addTask = async (kind: string) => {
      const values = { kind, name: kind, key: crypto.randomUUID(), dataset_id: dataset, creator_id: owner.id };
      const { id } = await server.db.insertInto("tasks").values(values).returning("id").executeTakeFirstOrThrow();
      return id;
    };
    const fail = () => Promise.reject(new Error("no folder"));
    await runTask(server.db, { scan: async () => ({ found: 2 }) }, {}, await addTask("scan"));
    await runTask(server.db, { generate: fail }, {}, await addTask("generate"));
    await requestCancel(server.db, await addTask("export"));
    await deliverer.look();
    expect(receiver.received.map(({ body: { task } }) => [task.name, task.state, task.result])).toEqual([
      ["scan", "done", { found: 2 }],
      ["generate", "failed", null],
      ["export", "cancelled", null],
    ]);
  });

  it("stores nothing for events that no webhook asks for, nor for one that is switched off", async () => {
    const hook = await addHook(["task.ended"]);
    await annotate();
    await owner.put(`dataset/${dataset}/webhooks/${hook.id}`, { events: ALL, active: false });
    await annotate();
    const other = await seedDataset(server.db, { ownerId: owner.id });
    await annotate(await seedImage(server.db, other));
    expect(await deliveries(hook.id)).toEqual([]);
    expect((await owner.put(`dataset/${dataset}/webhooks/${hook.id}`, { active: true })).body.active).toBe(true);
    await annotate();
    expect(await deliveries(hook.id)).toHaveLength(1);
  });

  it("adds and removes events, and keeps what another user has added or removed", async () => {
    const hook = await addHook(["image.done"]);
    const change = (body: object) => owner.put(`dataset/${dataset}/webhooks/${hook.id}`, body);
    await Promise.all([change({ add_events: ["task.ended"] }), change({ add_events: ["annotations.changed"] })]);
    expect(await hooks()).toMatchObject([{ events: ALL }]);
    await change({ remove_events: ["image.done"] });
    expect((await change({ remove_events: ["image.done", "task.ended"] })).body.events).toEqual([
      "annotations.changed",
    ]);
    const refused = await change({ url: "https://example.org/other", remove_events: ["annotations.changed"] });
    expect(refused.status).toBe(409);
    expect((await change({ events: ["image.done"], add_events: ["task.ended"] })).status).toBe(400);
    expect(await hooks()).toMatchObject([{ url: receiver.url, events: ["annotations.changed"] }]);
  });

  it("tries again after a failure, with the same id and body, and lists the outcome", async () => {
    const hook = await addHook();
    receiver.answer = (response) => response.writeHead(500).end("broken");
    await annotate();
    await deliverer.look();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries(hook.id)).toMatchObject([
      {
        state: "pending",
        attempts: 1,
        status: 500,
        error: "the receiver responded with status 500",
        finished_at: null,
      },
    ]);
    expect(await hooks()).toMatchObject([{ failures: 1, pending: 1, active: true }]);
    await deliverer.look();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => response.writeHead(200).end();
    await annotate();
    await passTime();
    await deliverer.look();
    const [first, again] = receiver.received;
    expect({ ...again }).toEqual({ ...first });
    expect(await deliveries(hook.id)).toMatchObject([
      { state: "delivered", attempts: 1 },
      { state: "delivered", attempts: 2, status: 200, error: null, next_at: null },
    ]);
    expect(await hooks()).toMatchObject([{ failures: 0, pending: 0 }]);
  });

  it("gives up a delivery after a day, and repeats it when asked", async () => {
    const hook = await addHook();
    receiver.answer = (response) => response.writeHead(400).end();
    await annotate();
    await sql`update webhook_deliveries set give_up_at = now()`.execute(server.db);
    await deliverer.look();
    const [failed] = await deliveries(hook.id);
    expect(failed).toMatchObject({ state: "failed", attempts: 1, status: 400, next_at: null });
    receiver.answer = (response) => response.writeHead(204).end();
    const path = `dataset/${dataset}/webhooks/${hook.id}/deliveries/${failed.id}/repeat`;
    expect((await owner.post(path)).body).toMatchObject({ state: "pending", event_id: failed.event_id });
    await deliverer.look();
    expect((await deliveries(hook.id))[0]).toMatchObject({ state: "delivered", body: failed.body });
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual([failed.event_id, failed.event_id]);
  });

  it("switches a webhook off after many failures, with the reason, and on again", async () => {
    const hook = await addHook();
    receiver.answer = (response) => response.writeHead(404).end();
    await annotate();
    await sql`update webhooks set failures = 59`.execute(server.db);
    await deliverer.look();
    expect(await hooks()).toMatchObject([
      {
        active: false,
        failures: 60,
        disabled_reason: "60 deliveries in a row have failed, the last one: the receiver responded with status 404",
      },
    ]);
    await passTime();
    await deliverer.look();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => response.writeHead(204).end();
    await owner.put(`dataset/${dataset}/webhooks/${hook.id}`, { active: true });
    await deliverer.look();
    expect(await hooks()).toMatchObject([{ active: true, failures: 0, disabled_reason: null, pending: 0 }]);
  });

  it("does not follow a redirect", async () => {
    const hook = await addHook();
    receiver.answer = (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end();
    await annotate();
    await deliverer.look();
    expect(await deliveries(hook.id)).toMatchObject([
      { attempts: 1, status: 302, error: "status 302: redirects are not followed" },
    ]);
  });

  it("does not let a slow receiver hold up the others", async () => {
    await addHook(["annotations.changed"]);
    const slow: (() => void)[] = [];
    receiver.answer = (response) => slow.push(() => response.writeHead(204).end());
    await annotate();
    const looking = deliverer.look();
    await expect.poll(() => slow.length).toBe(1);
    const quick = await startReceiver();
    await addHook(["image.done"], { url: quick.url });
    await owner.post(`dataset/${dataset}/images/mark`, { ids: [image], done: true });
    await expect.poll(() => quick.received.length).toBe(1);
    expect(slow).toHaveLength(1);
    receiver.answer = (response) => response.writeHead(204).end();
    slow[0]?.();
    await looking;
    quick.close();
  });

  it("delivers each event once when several processes look at the same time", async () => {
    await addHook(["annotations.changed"]);
    for (let i = 0; i < 5; i++) await annotate();
    const others = [newDeliverer(), newDeliverer()];
    await Promise.all([deliverer, ...others].map((each) => each.look()));
    await Promise.all(others.map((each) => each.stop()));
    expect(receiver.received).toHaveLength(5);
  });

  it("delivers an event again, with the same id, when its process died before it stored the outcome", async () => {
    const hook = await addHook(["annotations.changed"]);
    await annotate();
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    receiver.answer = () => arrived();
    const dying = newDeliverer();
    void dying.look();
    await arrival;
    await dying.stop();
    receiver.answer = (response) => response.writeHead(204).end();
    // A killed process would not have ended its lease.
    await sql`update webhooks set worker = 'dead', lease_until = now() + interval '20 s'`.execute(server.db);
    await deliverer.look();
    expect(receiver.received).toHaveLength(1);
    await sql`update webhooks set lease_until = lease_until - interval '30 s'`.execute(server.db);
    await deliverer.look();
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual([
      receiver.received[0]?.eventId,
      receiver.received[0]?.eventId,
    ]);
    expect(await deliveries(hook.id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  it("refuses addresses of its own network at delivery, by name too, unless the setting allows them", async () => {
    const { port } = new URL(receiver.url);
    const strict = newDeliverer(false);
    await deliverer.stop();
    for (const url of [receiver.url, `http://localhost:${port}/hook`]) await addHook(["annotations.changed"], { url });
    await annotate();
    await strict.look();
    await strict.stop();
    expect(receiver.received).toEqual([]);
    for (const { id } of await hooks())
      expect(await deliveries(id)).toMatchObject([
        { status: null, error: expect.stringContaining("is not on the public internet") },
      ]);
  });

  it("sends a ping, and deletes a webhook with its deliveries", async () => {
    const hook = await addHook();
    const path = `dataset/${dataset}/webhooks/${hook.id}`;
    expect((await owner.post(`${path}/ping`)).body).toMatchObject({ event: "ping", state: "pending" });
    await deliverer.look();
    expect(receiver.received).toMatchObject([{ event: "ping", isSigned: true }]);
    expect((await owner.delete(path)).body).toEqual({ success: true });
    expect((await owner.get(`${path}/deliveries`)).status).toBe(404);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook_deliveries`.execute(server.db);
    expect(rows).toEqual([{ n: 0 }]);
  });
});
