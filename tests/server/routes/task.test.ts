import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnBothDatabases } from "../../support/databases";
import { seedDataset } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnBothDatabases("tasks", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let admin: TestUser;
  let datasetId: number;
  let keys = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    [ann, bob, admin] = [
      await server.user("ann"),
      await server.user("bob"),
      await server.user("root", { admin: true }),
    ];
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id] });
  });
  afterAll(() => server.close());

  const seedTask = async (state: "queued" | "running" | "done" | "failed", creator = bob, dataset = true) =>
    (
      await server.db
        .insertInto("tasks")
        .values({
          ...{ kind: "scan", name: "Scan", key: `key ${++keys}`, state, creator_id: creator.id },
          dataset_id: dataset ? datasetId : null,
        })
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;
  const seen = async (user: TestUser) => (await user.get("tasks/")).body.map((task: { id: number }) => task.id);

  it("tasks are visible to the user who started them, the dataset's owner and admins", async () => {
    const [shared, own] = [await seedTask("done"), await seedTask("done", bob, false)];
    const stranger = await server.user("stranger");
    expect(await seen(bob)).toEqual([shared, own]);
    expect(await seen(ann)).toEqual([shared]);
    expect(await seen(admin)).toEqual([shared, own]);
    expect(await seen(stranger)).toEqual([]);
    for (const path of [`tasks/${shared}/logs`, `tasks/${own}/logs`, "tasks/99999/logs"])
      expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(`tasks/${shared}/cancel`)).status).toBe(404);
    expect((await stranger.delete(`tasks/${shared}`)).status).toBe(404);
    expect((await ann.delete(`tasks/${own}`)).status).toBe(404);
  });

  it("a user who requests a task that is already queued can see it but not cancel it", async () => {
    const id = await seedTask("queued", ann);
    await server.db
      .updateTable("tasks")
      .set({ key: `scan:${datasetId}` })
      .where("id", "=", id)
      .execute();
    expect(await seen(bob)).not.toContain(id);
    expect((await bob.get(`dataset/${datasetId}/scan`)).body.id).toBe(id);
    expect((await bob.get(`dataset/${datasetId}/scan`)).body.id).toBe(id);
    expect(await seen(bob)).toContain(id);
    expect((await bob.get(`tasks/${id}/logs`)).body).toEqual({ logs: [] });
    expect((await bob.post(`tasks/${id}/cancel`)).status).toBe(403);
    expect((await bob.delete(`tasks/${id}`)).status).toBe(403);
    expect((await ann.post(`tasks/${id}/cancel`)).status).toBe(200);
    expect((await ann.delete(`tasks/${id}`)).status).toBe(200);
  });

  it("tasks are listed with their group, state and counts", async () => {
    const id = await seedTask("failed");
    await server.db.updateTable("tasks").set({ progress: 12.5, warnings: 2, errors: 1 }).where("id", "=", id).execute();
    const task = (await bob.get("tasks/")).body.find((one: { id: number }) => one.id === id);
    expect(task).toMatchObject({ name: "Scan", group: "Directory Image Scan", state: "failed", completed: true });
    expect(task).toMatchObject({ progress: 12.5, warnings: 2, errors: 1, creator: "bob", dataset_id: datasetId });
  });

  it("tasks return their log with day, time and level", async () => {
    const id = await seedTask("done");
    const created_at = new Date("2026-01-02T03:04:05Z");
    await server.db
      .insertInto("task_logs")
      .values([
        { task_id: id, line: 2, level: "ERROR", text: "second" },
        { task_id: id, line: 1, level: "INFO", text: "first" },
      ])
      .execute();
    await server.db
      .updateTable("task_logs")
      .set({ created_at } as never)
      .where("task_id", "=", id)
      .execute();
    expect((await ann.get(`tasks/${id}/logs`)).body).toEqual({
      logs: ["[02-01-2026 03:04:05] [INFO] first", "[02-01-2026 03:04:05] [ERROR] second"],
    });
  });

  it("tasks can be deleted once they have ended, and not before", async () => {
    for (const state of ["queued", "running"] as const) {
      const { status, body } = await bob.delete(`tasks/${await seedTask(state)}`);
      expect([status, body.message]).toEqual([409, "Task is not completed"]);
    }
    const id = await seedTask("failed");
    expect((await ann.delete(`tasks/${id}`)).body).toEqual({ success: true });
    expect((await ann.delete(`tasks/${id}`)).status).toBe(404);
  });

  it("tasks can be cancelled while they wait or run, and not after", async () => {
    const [queued, running, done] = [await seedTask("queued"), await seedTask("running"), await seedTask("done")];
    expect((await bob.post(`tasks/${queued}/cancel`)).body).toEqual({ success: true });
    expect((await ann.post(`tasks/${running}/cancel`)).body).toEqual({ success: true });
    expect((await bob.post(`tasks/${done}/cancel`)).status).toBe(409);
    const row = (id: number) =>
      server.db.selectFrom("tasks").select(["state", "cancel_requested"]).where("id", "=", id).executeTakeFirst();
    expect(await row(queued)).toEqual({ state: "cancelled", cancel_requested: true });
    expect(await row(running)).toEqual({ state: "running", cancel_requested: true });
  });
});
