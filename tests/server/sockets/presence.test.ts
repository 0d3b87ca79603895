import type { Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { OtherProcesses } from "../../../server/sockets/presence/otherProcesses";
import type { PresenceChange } from "../../../shared/events";
import { describeOnBothDatabases, describeOnServer, openServer } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { type LiveServer, startLiveServer } from "../../support/liveServer";
import { makeMembers } from "../../support/members";
import { startServer, type TestServer } from "../../support/server";
import { cookieOfToken, openSocket, waitForConnection } from "../../support/sockets";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

const ROOT = { BASE_PATH: "/" };

async function enter(url: string, token: string, options = {}): Promise<Socket> {
  const socket = openSocket(url, cookieOfToken(ROOT, token), options);
  sockets.push(socket);
  await waitForConnection(socket);
  return socket;
}

const follow = (socket: Socket, image_id: number) => socket.emitWithAck("annotating", { image_id, active: true });
const list = (socket: Socket, dataset_id: number) => socket.emitWithAck("listing", { dataset_id, active: true });

/** Returns the users on each image as a page tracks them: from the first response and the events after it. */
function watch(socket: Socket, answered: Record<number, string[]> = {}): () => Record<number, string[]> {
  const shown = new Map(Object.entries(answered).map(([id, names]) => [Number(id), new Set(names)]));
  const at = (id: number) => shown.get(id) ?? shown.set(id, new Set<string>()).get(id);
  socket.on("presence", (changes: PresenceChange[]) => {
    for (const { image_id, joined, left } of changes) {
      for (const name of left) at(image_id)?.delete(name);
      for (const name of joined) at(image_id)?.add(name);
    }
  });
  return () =>
    Object.fromEntries([...shown].flatMap(([id, names]) => (names.size > 0 ? [[id, [...names].sort()]] : [])));
}

describeOnBothDatabases("presence in batches", (open) => {
  let server: TestServer;
  let dataset: number;
  let images: number[];
  let tokens: string[];
  beforeAll(async () => {
    server = await startServer(await open());
    const owner = await server.user("owner");
    dataset = await seedDataset(server.db, { ownerId: owner.id });
    images = [];
    for (let i = 0; i < 10; i++) images.push(await seedImage(server.db, dataset));
    tokens = await makeMembers(server.db, dataset, 200);
  });
  afterAll(() => server.close());

  const image = (i: number) => images[i] ?? 0;
  const token = (i: number) => tokens[i] ?? "";

  test("returns the users who have the image open, then the changes, and only to pages with the image or its list open", async () => {
    const [first, second, lister, other] = [
      await enter(server.url, token(0)),
      await enter(server.url, token(1)),
      await enter(server.url, token(2)),
      await enter(server.url, token(3)),
    ];
    expect(await follow(first, image(0))).toEqual({ usernames: ["member-0"] });
    const before = { [image(0)]: ["member-0"] };
    const [atImage, inList] = [watch(first, before), watch(lister, before)];
    let overheard = 0;
    other.onAny(() => overheard++);
    expect(await list(lister, dataset)).toEqual({ images: [{ image_id: image(0), usernames: ["member-0"] }] });
    expect(await follow(second, image(0))).toEqual({ usernames: ["member-0", "member-1"] });
    await expect.poll(atImage).toEqual({ [image(0)]: ["member-0", "member-1"] });
    expect(await follow(second, image(1))).toEqual({ usernames: ["member-1"] });
    await expect.poll(inList).toEqual({ [image(0)]: ["member-0"], [image(1)]: ["member-1"] });
    await expect.poll(atImage).toEqual({ [image(0)]: ["member-0"] });
    lister.emit("listing", { dataset_id: dataset, active: false });
    second.close();
    await expect.poll(() => server.services.live.annotating(image(1))).toEqual([]);
    expect(inList()).toEqual({ [image(0)]: ["member-0"], [image(1)]: ["member-1"] });
    expect(overheard).toBe(0);
  });

  test("keeps a list's room when an image of the dataset is left, and ends it with the membership", async () => {
    const socket = await enter(server.url, token(4));
    await list(socket, dataset);
    await follow(socket, image(2));
    socket.emit("annotating", { image_id: image(2), active: false });
    const shown = watch(socket);
    await follow(await enter(server.url, token(5)), image(3));
    await expect.poll(shown).toEqual({ [image(3)]: ["member-5"] });
    const { id } = await server.db
      .selectFrom("users")
      .select("id")
      .where("username", "=", "member-4")
      .executeTakeFirstOrThrow();
    const ended = new Promise((resolve) => socket.once("disconnect", resolve));
    server.services.live.leaveDataset(id, dataset);
    await ended;
  });

  test("sends nothing for a dataset or image that does not exist", async () => {
    const socket = await enter(server.url, token(6));
    let answers = 0;
    socket.emit("listing", { dataset_id: 1_000_000, active: true }, () => answers++);
    socket.emit("listing", { dataset_id: "1", active: true }, () => answers++);
    await follow(socket, image(4));
    expect(answers).toBe(0);
  });

  test("grows with the number of arriving users, and not with its square", async () => {
    let messages = 0;
    const lister = await enter(server.url, token(10));
    await list(lister, dataset);
    const shown = watch(lister);
    const arrive = async (i: number) => {
      const socket = await enter(server.url, token(i));
      socket.onAny(() => messages++);
      await follow(socket, image(i % 10));
    };
    const users = Array.from({ length: 180 }, (_, i) => 20 + i);
    await Promise.all(users.map(arrive));
    const names = () => Object.values(shown()).flat().length;
    await expect.poll(names).toBe(users.length);
    expect(messages).toBeLessThan(20 * users.length);
  });

  test("presence is sent as an event for each change to clients that do not ask for batches", async () => {
    const [older, newer] = [await enter(server.url, token(7), { auth: {} }), await enter(server.url, token(8))];
    const received: unknown[] = [];
    older.on("annotating", (event) => received.push(event));
    older.on("presence", (event) => received.push(event));
    await follow(newer, image(9));
    await expect.poll(() => received).toContainEqual({ image_id: image(9), username: "member-8", active: true });
    newer.close();
    await expect.poll(() => received).toContainEqual({ image_id: image(9), username: "member-8", active: false });
    expect(received.filter((event) => (event as { username?: string }).username === undefined)).toEqual([]);
  });
});

describeOnServer("presence of a server that ends", (open) => {
  let servers: LiveServer[] | undefined;
  let dataset: number;
  let image: number;
  let tokens: string[];
  beforeAll(async () => {
    const database = await open();
    const env = { DATABASE_URL: database.url ?? "" };
    // Before a dataset exists: a server refuses a data folder that contains none of its datasets.
    const first = await startLiveServer(env);
    servers = [first, await startLiveServer({ ...env, DATA_DIR: first.dataDir })];
    const { id } = await database.db
      .insertInto("users")
      .values({ username: "owner", last_seen: new Date() })
      .returning("id")
      .executeTakeFirstOrThrow();
    dataset = await seedDataset(database.db, { ownerId: id });
    image = await seedImage(database.db, dataset);
    tokens = await makeMembers(database.db, dataset, 2);
  });
  afterAll(async () => {
    for (const server of servers?.reverse() ?? []) await server.remove();
  });

  for (const end of ["kill", "stop"] as const)
    test(`ends on the other servers, and their pages are notified, after ${end === "kill" ? "SIGKILL" : "SIGTERM"}`, async () => {
      const [here, there] = servers ?? [];
      if (!here || !there) throw new Error("no servers");
      const page = await enter(here.url, tokens[0] ?? "");
      const shown = watch(page);
      await list(page, dataset);
      await follow(await enter(there.url, tokens[1] ?? ""), image);
      await expect.poll(shown).toEqual({ [image]: ["member-1"] });
      await there[end]();
      await expect.poll(shown).toEqual({});
      await there.start();
    });
});

describeOnServer("presence of a process that closes", () => {
  test("ends on the others as soon as it has closed, without a timeout", async () => {
    const database = await openServer();
    const [here, there] = [await startServer(database), await startServer(database)];
    const owner = await here.user("owner");
    const dataset = await seedDataset(here.db, { ownerId: owner.id });
    const image = await seedImage(here.db, dataset);
    const [token] = await makeMembers(here.db, dataset, 1);
    await follow(await enter(here.url, token ?? ""), image);
    await expect.poll(() => there.services.live.annotating(image)).toEqual(["member-0"]);
    const forgetSilent = vi.spyOn(OtherProcesses.prototype, "forgetSilent").mockImplementation(() => undefined);
    await here.close();
    await expect.poll(() => there.services.live.annotating(image)).toEqual([]);
    forgetSilent.mockRestore();
    await there.close();
    await database.close();
  });
});
