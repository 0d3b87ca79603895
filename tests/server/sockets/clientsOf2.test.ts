import { setTimeout as wait } from "node:timers/promises";
import connect, { type Socket } from "socket.io-client-2";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createToken } from "../../../server/features/access/tokens";
import { hashPassword } from "../../../server/features/passwords/hash";
import { endClosed } from "../../../server/sockets/recheckSessions";
import { describeOnDatabases } from "../../support/databases";
import { eventually } from "../../support/eventually";
import { seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/** Clients of Socket.IO's 2.x line (Engine.IO 3), which scripts and older pages use. */

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

type Transport = "polling" | "websocket";
type Headers = Record<string, string>;

function open({ url }: TestServer, headers: Headers, transport: Transport, { reconnection = false } = {}): Socket {
  const { origin, pathname } = new URL(url);
  const socket = connect(origin, {
    path: `${pathname}socket.io`,
    transports: [transport],
    extraHeaders: headers,
    forceNew: true,
    reconnection,
  });
  sockets.push(socket);
  return socket;
}

const once = <T = unknown>(socket: Socket, event: string): Promise<T> =>
  new Promise((resolve) => socket.once(event, (data) => resolve(data as T)));

const cookieOf = (user: TestUser): Headers => ({
  Cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
});

describeOnDatabases("clients of Socket.IO 2", (openDatabase, kind) => {
  // Polling is off with several processes, as for newer clients.
  const transports: Transport[] = kind === "embedded" ? ["polling", "websocket"] : ["websocket"];
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let image: number;
  let dataset: number;
  let logins: Record<string, Headers>;
  beforeAll(async () => {
    server = await startServer(await openDatabase(), { env: { BASE_PATH: "/limn/" } });
    ann = await server.user("ann");
    bob = await server.user("bob");
    dataset = await seedDataset(server.db, { ownerId: ann.id });
    image = await seedImage(server.db, dataset);
    const password_hash = await hashPassword("secret");
    await server.db.updateTable("users").set({ password_hash }).where("id", "=", ann.id).execute();
    const { secret } = await createToken(server.db, ann.id, { name: "script" });
    logins = {
      "a cookie": cookieOf(ann),
      Basic: { Authorization: `Basic ${btoa("ann:secret")}` },
      "a token": { Authorization: `Bearer ${secret}` },
    };
  });
  afterAll(() => server.close());

  for (const transport of transports) {
    for (const login of ["a cookie", "Basic", "a token"])
      test(`clients connect by ${transport} with ${login} and receive events of their tasks`, async () => {
        const socket = open(server, logins[login] ?? {}, transport);
        await once(socket, "connect");
        expect(socket.io.engine.transport.name).toBe(transport);
        const notification = once(socket, "taskProgress");
        const event = { id: 7, progress: 12.5, warnings: 1, errors: 2, state: "running" as const, dataset_id: dataset };
        server.services.live.notifyTaskProgress({ ...event, creator_id: null });
        expect(await notification).toEqual(event);
      });

    test(`clients need a login by ${transport}`, async () => {
      for (const headers of [
        {},
        { Authorization: "Bearer limn_wrong" },
        { Cookie: "limn_session_limn=x" },
      ] as Headers[])
        expect(await once(open(server, headers, transport), "error")).toBe("Authorization required");
    });

    test(`pages of other sites are refused by ${transport}`, async () => {
      for (const more of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }] as Headers[]) {
        const socket = open(server, { ...cookieOf(ann), ...more }, transport);
        await once(socket, "connect_error");
        expect(socket.connected).toBe(false);
      }
    });

    test(`clients receive by ${transport} what they may see, and no more`, async () => {
      const [mine, foreign] = [ann, bob].map((user) => open(server, cookieOf(user), transport));
      if (!mine || !foreign) throw new Error("no sockets");
      await Promise.all([once(mine, "connect"), once(foreign, "connect")]);
      const received: unknown[] = [];
      for (const event of ["annotation", "taskProgress"]) foreign.on(event, (data) => received.push(data));
      for (const socket of [foreign, mine]) socket.emit("annotating", { image_id: image, active: true });
      await expect.poll(() => server.sockets.io.of("/").adapter.rooms.get(`image ${image}`)?.size ?? 0).toBe(1);
      const notification = once(mine, "taskProgress");
      mine.on("annotation", (data) => received.push(data));
      server.services.live.notifyImageRoom({
        action: "delete",
        annotation: { id: 1, image_id: image, category_id: 1, uuid: crypto.randomUUID() },
        category_id: 1,
        uuid: "mine",
        image_id: image,
        image_revision: 3,
      });
      const task = { id: 1, progress: 100, warnings: 0, errors: 0, state: "done" as const, dataset_id: dataset };
      server.services.live.notifyTaskProgress({ ...task, creator_id: ann.id });
      expect(await notification).toMatchObject({ progress: 100 });
      await wait(50);
      // No event about annotations either: the original's page would empty their outlines, and delete them at its next
      // save.
      expect(received).toEqual([]);
    });

    test(`clients connect by ${transport} soon after their user has signed in, without a reload`, async () => {
      const headers: Headers = {};
      // A script's refused connection, which is older than the page's, is closed by the server's general limit.
      const script = open(server, { Authorization: "Bearer unknown" }, transport);
      const socket = open(server, headers, transport, { reconnection: true });
      const refusals = [once(script, "error"), once(socket, "error")];
      const closed: Socket[] = [];
      for (const each of [script, socket]) each.io.engine.once("close", () => closed.push(each));
      expect(await Promise.all(refusals)).toEqual(["Authorization required", "Authorization required"]);
      Object.assign(headers, cookieOf(ann));
      await expect.poll(() => socket.connected).toBe(true);
      expect(closed[0]).toBe(socket);
    });

    test(`time with an image open is counted by ${transport}, although the clock is set back in the meantime`, async () => {
      const timed = await seedImage(server.db, dataset);
      const socket = open(server, cookieOf(ann), transport);
      await once(socket, "connect");
      socket.emit("annotating", { image_id: timed, active: true });
      await expect.poll(() => server.sockets.io.of("/").adapter.rooms.get(`image ${timed}`)?.size ?? 0).toBe(1);
      await wait(1_100);
      const { now } = Date;
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
      socket.emit("annotating", { image_id: timed, active: false });
      socket.emit("annotating", { image_id: timed, active: false });
      const milliseconds = async () =>
        (await server.db.selectFrom("images").select("milliseconds").where("id", "=", timed).executeTakeFirstOrThrow())
          .milliseconds;
      const isStored = eventually(async () => expect(await milliseconds()).toBeGreaterThanOrEqual(1_000));
      await isStored.finally(() => clock.mockRestore());
      const { total, average } = (await ann.get(`dataset/${dataset}/stats`)).body;
      expect(total["Time Annotating (s)"]).toBeGreaterThanOrEqual(1);
      expect(average["Time (ms) per Image"]).toBeGreaterThan(0);
    });

    test(`clients disconnect by ${transport} when the session ends`, async () => {
      const carl = await server.user(`carl-${transport}`);
      const socket = open(server, cookieOf(carl), transport);
      await once(socket, "connect");
      const ended = once(socket, "disconnect");
      await server.db.deleteFrom("sessions").where("user_id", "=", carl.id).execute();
      await endClosed(server.sockets.io, server.db);
      await ended;
      expect(await once(open(server, cookieOf(carl), transport), "error")).toBe("Authorization required");
    });
  }
});
