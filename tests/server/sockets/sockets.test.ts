import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endClosed } from "../../../server/sockets/recheckSessions";
import { describeOnBothDatabases, describeOnServer, openServer } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { holdConnections } from "../../support/holdConnections";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { TestClient } from "../../support/testClient";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** Connects like one of the client's pages, or like another site with `origin`. */
function connect(client: TestClient, headers: Record<string, string> = {}): Socket {
  const { origin, pathname } = new URL(client.url);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const socket = io(origin, {
    path: `${pathname}socket.io`,
    transports: ["websocket"],
    extraHeaders: { Cookie: cookie, Origin: origin, ...headers },
    forceNew: true,
    reconnectionDelay: 20,
    reconnectionDelayMax: 20,
  });
  sockets.push(socket);
  return socket;
}

const once = <T = unknown>(socket: Socket, event: string): Promise<T> =>
  new Promise((resolve) => socket.once(event, resolve));

const comesBack = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.io.once("reconnect", resolve));

/** Waits until a socket follows an image, because the event has no acknowledgement. */
async function follow(server: TestServer, socket: Socket, image_id: number): Promise<void> {
  socket.emit("annotating", { image_id, active: true });
  const room = () => server.sockets.io.of("/").adapter.rooms.get(`image ${image_id}`);
  await expect.poll(() => room()?.size ?? 0).toBe(1);
}

const change = (image_id: number) => ({
  action: "create" as const,
  annotation: { id: 1, image_id, category_id: 1, uuid: crypto.randomUUID() },
  category_id: 1,
  uuid: null,
  image_id,
  image_revision: 2,
});

describeOnBothDatabases("the live connection", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let dataset: number;
  let image: number;
  beforeAll(async () => {
    server = await startServer(await open(), { env: { BASE_PATH: "/limn/" } });
    ann = await server.user("ann");
    bob = await server.user("bob");
    dataset = await seedDataset(server.db, { ownerId: ann.id });
    image = await seedImage(server.db, dataset);
  });
  afterAll(() => server.close());

  test("the connection needs a login", async () => {
    const error = await once<Error>(connect(server.visitor()), "connect_error");
    expect(error.message).toBe("Authorization required");
  });

  test("pages of other sites are refused", async () => {
    const foreign: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
    ];
    for (const headers of foreign) {
      const socket = connect(ann, headers);
      await once(socket, "connect_error");
      expect(socket.connected).toBe(false);
      socket.close();
    }
  });

  test("notifies users who have an image open, and no user without access", async () => {
    const [mine, foreign] = [connect(ann), connect(bob)];
    await Promise.all([once(mine, "connect"), once(foreign, "connect")]);
    const received: unknown[] = [];
    foreign.on("annotation", (event) => received.push(event));
    foreign.emit("annotating", { image_id: image, active: true });
    await follow(server, mine, image);
    const notification = once<{ image_revision: number }>(mine, "annotation");
    server.services.live.notifyImageRoom(change(image));
    expect((await notification).image_revision).toBe(2);
    foreign.emit("annotation", change(image));
    await wait(50);
    expect(received).toEqual([]);
  });

  test("notifies users who have an image open that it is deleted, or restored", async () => {
    const socket = connect(ann);
    await once(socket, "connect");
    const gone = await seedImage(server.db, dataset);
    await follow(server, socket, gone);
    const selection = { ids: [gone] };
    for (const change of [
      () => ann.delete(`image/${gone}`),
      () => ann.post(`undo/?id=${gone}&instance=image`),
      () => ann.post(`dataset/${dataset}/images/delete`, selection),
    ]) {
      const notification = once<{ image_id: number }>(socket, "annotation");
      expect((await change()).status).toBe(200);
      expect((await notification).image_id).toBe(gone);
    }
  });

  test("acknowledges once no event of an image can be missed, and not to users without access", async () => {
    const [mine, foreign] = [connect(ann), connect(bob)];
    await Promise.all([once(mine, "connect"), once(foreign, "connect")]);
    let isForeignIn = false;
    foreign.emit("annotating", { image_id: image, active: true }, () => {
      isForeignIn = true;
    });
    await mine.emitWithAck("annotating", { image_id: image, active: true });
    expect(server.sockets.io.of("/").adapter.rooms.get(`image ${image}`)?.size).toBe(1);
    await wait(50);
    expect(isForeignIn).toBe(false);
  });

  test("follows the last image announced, however quickly they change", async () => {
    const socket = connect(ann);
    await once(socket, "connect");
    const second = await seedImage(server.db, dataset);
    for (let i = 0; i < 10; i++) {
      socket.emit("annotating", { image_id: image, active: true });
      socket.emit("annotating", { image_id: image, active: false });
    }
    await follow(server, socket, second);
    await wait(50);
    expect(server.sockets.io.of("/").adapter.rooms.get(`image ${image}`)).toBeUndefined();
  });

  test("survives any input", async () => {
    const socket = connect(ann);
    await once(socket, "connect");
    const hostile = [undefined, null, 1, "x", [], {}, { image_id: "1", active: 1 }, { image_id: -1, active: true }];
    for (const payload of hostile)
      for (const event of ["annotating", "annotation", "drop", "nonsense"]) socket.emit(event, payload);
    socket.emit("annotating", { image_id: 2 ** 40, active: true }, "more", () => undefined);
    socket.emit("annotating");
    await follow(server, socket, image);
    expect(socket.connected).toBe(true);
  });

  test("lists who has an image open for users who may see it, each name once", async () => {
    await ann.post(`dataset/${dataset}/share`, { users: ["bob"] });
    const [mine, again, other, stranger] = [ann, ann, bob, await server.user("fred")].map((user) => connect(user));
    if (!mine || !again || !other || !stranger) throw new Error("no sockets");
    await Promise.all([mine, again, other, stranger].map((socket) => once(socket, "connect")));
    // Sockets of earlier tests may still be leaving the other images of the dataset.
    const image = await seedImage(server.db, dataset);
    const [received, overheard]: [unknown[], unknown[]] = [[], []];
    other.on("annotating", (event) => event.image_id === image && received.push(event));
    stranger.on("annotating", (event) => overheard.push(event));
    const shown = async () => {
      const { body: scene } = await bob.get(`annotator/data/${image}?shape=rings`);
      const { body: list } = await bob.get(`dataset/${dataset}/data`);
      const inList = list.images.find(({ id }: { id: number }) => id === image).annotating;
      expect(inList).toEqual(scene.image.annotating);
      return inList;
    };

    mine.emit("annotating", { image_id: image, active: true });
    await expect.poll(shown).toEqual(["ann"]);
    again.emit("annotating", { image_id: image, active: true });
    await expect.poll(() => server.sockets.io.of("/").adapter.rooms.get(`image ${image}`)?.size).toBe(2);
    expect(await shown()).toEqual(["ann"]);
    const met = once(other, "annotating");
    other.emit("annotating", { image_id: image, active: true });
    await met;
    await expect.poll(shown).toEqual(["ann", "bob"]);

    mine.close();
    await wait(50);
    expect(await shown()).toEqual(["ann", "bob"]);
    again.close();
    await expect.poll(shown).toEqual(["bob"]);
    const event = { image_id: image, username: "ann" };
    await expect
      .poll(() => received)
      .toEqual([
        { ...event, active: true },
        { ...event, active: true },
        { ...event, active: false },
      ]);
    other.emit("annotating", { image_id: image, active: false });
    await expect.poll(shown).toEqual([]);
    expect(overheard).toEqual([]);
    await ann.post(`dataset/${dataset}/share`, { users: [] });
  });

  test("ends on sign-out, and does not reconnect", async () => {
    const carl = await server.user("carl");
    const socket = connect(carl);
    await once(socket, "connect");
    const refused = once<Error>(socket, "connect_error");
    await carl.get("user/logout");
    expect((await refused).message).toBe("Authorization required");
    expect(socket.active).toBe(false);
  });

  test("ends when a session has ended elsewhere", async () => {
    const dora = await server.user("dora");
    const socket = connect(dora);
    await once(socket, "connect");
    await server.db.deleteFrom("sessions").where("user_id", "=", dora.id).execute();
    const refused = once<Error>(socket, "connect_error");
    await endClosed(server.sockets.io, server.db);
    expect((await refused).message).toBe("Authorization required");
  });

  test("sends nothing more to a removed member, and reconnects for the rest", async () => {
    await ann.post(`dataset/${dataset}/share`, { users: ["bob"] });
    const socket = connect(bob);
    await once(socket, "connect");
    await follow(server, socket, image);
    const back = comesBack(socket);
    await ann.post(`dataset/${dataset}/share`, { users: [] });
    await back;
    expect(server.sockets.io.of("/").adapter.rooms.get(`image ${image}`)).toBeUndefined();
  });

  test("sends a task's events to its creator, the dataset's owner and admins", async () => {
    const admin = await server.user("root", { admin: true });
    const [owner, creator, other, root] = [ann, bob, await server.user("erin"), admin].map((user) => connect(user));
    if (!owner || !creator || !other || !root) throw new Error("no sockets");
    await Promise.all([owner, creator, other, root].map((socket) => once(socket, "connect")));
    const received: unknown[] = [];
    other.on("taskProgress", (event) => received.push(event));
    const notification = Promise.all([owner, creator, root].map((socket) => once(socket, "taskProgress")));
    const event = { id: 1, progress: 50, warnings: 0, errors: 0, state: "running" as const, dataset_id: dataset };
    server.services.live.notifyTaskProgress({ ...event, creator_id: bob.id });
    expect(await notification).toEqual([event, event, event]);
    await wait(50);
    expect(received).toEqual([]);
  });
});

describeOnServer("two processes", () => {
  /** Starts two processes on one database. The user ann has an image open at the first process. */
  async function twoProcesses() {
    const database = await openServer();
    const [here, there] = [await startServer(database), await startServer(database)];
    const ann = await here.user("ann");
    const image = await seedImage(here.db, await seedDataset(here.db, { ownerId: ann.id }));
    const socket = connect(ann);
    await once(socket, "connect");
    await follow(here, socket, image);
    return { database, here, there, ann, image, socket };
  }

  test("a process that ends while it connects to the others releases the connection", async () => {
    const database = await openServer();
    const held = await holdConnections(database.url ?? "");
    const server = await startServer({ ...database, url: held.url });
    const { adapter } = server.sockets.io.of("/");
    const close = adapter.close.bind(adapter);
    adapter.close = async () => {
      await close();
      held.forward();
    };
    await server.close();
    held.close();
  });

  test("the processes notify each other's sockets, and end them", async () => {
    const { database, here, there, ann, image, socket } = await twoProcesses();
    const notification = once(socket, "annotation");
    await expect
      .poll(async () => {
        there.services.live.notifyImageRoom(change(image));
        return Promise.race([notification.then(() => true), wait(100, false)]);
      })
      .toBe(true);
    await expect.poll(() => there.services.live.annotating(image)).toEqual(["ann"]);
    const late = await startServer(database);
    await expect.poll(() => late.services.live.annotating(image)).toEqual(["ann"]);
    await late.close();
    const refused = once(socket, "connect_error");
    await here.db.deleteFrom("sessions").execute();
    there.services.live.disconnectUser(ann.id);
    await refused;
    await expect.poll(() => there.services.live.annotating(image)).toEqual([]);
    await Promise.all([here.close(), there.close()]);
    await database.close();
  });

  test("the processes notify each other's sockets even after the database has cut their connections again and again", async () => {
    const { database, here, there, image, socket } = await twoProcesses();
    const listening = sql`pg_stat_activity where datname = current_database() and query ilike 'listen "socket.io%'`;
    const pids = async () =>
      (await sql<{ pid: number }>`select pid from ${listening} order by pid`.execute(here.db)).rows;
    // The pool of each process has three connections.
    for (let cut = 0; cut < 3; cut++) {
      await expect.poll(async () => (await pids()).length).toBe(2);
      const before = await pids();
      await sql`select pg_terminate_backend(pid) from ${listening}`.execute(here.db);
      await expect.poll(pids).not.toEqual(before);
    }
    await expect.poll(async () => (await pids()).length).toBe(2);
    const notification = once(socket, "annotation");
    there.services.live.notifyImageRoom(change(image));
    expect(await notification).toMatchObject({ image_id: image });
    await Promise.all([here.close(), there.close()]);
    await database.close();
  });
});
