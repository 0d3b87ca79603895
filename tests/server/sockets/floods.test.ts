import type { Kysely, KyselyPlugin } from "kysely";
import type { Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Schema } from "../../../server/db/schema";
import type { Limited } from "../../../shared/events";
import { describeOnDatabases } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import { cookieOfClient, nextEvent, openSocket, waitForConnection } from "../../support/sockets";

/** Types of the parts of Engine.IO's client that these tests need. */
type Engine = { _sendPacket(type: string): void; write(data: string): void };

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

describeOnDatabases("a flood of the live connection", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let image: number;
  let queries = 0;
  let isDatabaseAway = false;
  beforeAll(async () => {
    const database = await open();
    server = await startServer({ ...database, db: watched(database.db) }, { env: { BASE_PATH: "/limn/" } });
    ann = await server.user("ann");
    image = await seedImage(server.db, await seedDataset(server.db, { ownerId: ann.id }));
  });
  afterAll(() => server.close());

  /** Returns a database that counts queries, and fails them on demand. */
  function watched(db: Kysely<Schema>): Kysely<Schema> {
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        queries += 1;
        if (isDatabaseAway) throw new Error("the database is away");
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    return db.withPlugin(plugin);
  }

  async function enter(user: TestUser): Promise<Socket> {
    const socket = openSocket(server.url, cookieOfClient(user));
    sockets.push(socket);
    await waitForConnection(socket);
    return socket;
  }

  const follow = (socket: Socket, image_id: number) => socket.emitWithAck("annotating", { image_id, active: true });

  test("makes no query for superseded announcements of open images, existing or not", async () => {
    const dora = await server.user("dora");
    await server.db.updateTable("users").set({ is_admin: true }).where("id", "=", dora.id).execute();
    const socket = await enter(dora);
    queries = 0;
    for (let i = 0; i < 200; i++) socket.emit("annotating", { image_id: i % 2 ? image : 1_000_000 + i, active: true });
    await follow(socket, image);
    expect(queries).toBeLessThan(10);
  });

  const floods: Record<string, (socket: Socket) => void> = {
    announcements: (socket) => socket.emit("annotating", { image_id: image, active: true }),
    "unknown events": (socket) => socket.emit("nonsense", 1),
    acknowledgements: (socket) => (socket.io.engine as unknown as Engine).write("3999[]"),
    heartbeats: (socket) => (socket.io.engine as unknown as Engine)._sendPacket("pong"),
    "large messages": (socket) => socket.emit("nonsense", "x".repeat(50_000)),
  };
  for (const [name, send] of Object.entries(floods))
    test(`a flood of ${name} is cut off with a reason, and its user is locked out for a while`, async () => {
      const user = await server.user(`flooder-${name.replace(" ", "-")}`);
      const socket = await enter(user);
      const [limited, ended] = [nextEvent<Limited>(socket, "limited"), nextEvent(socket, "disconnect")];
      for (let i = 0; i < (name === "large messages" ? 700 : 2_000); i++) send(socket);
      expect(await limited).toMatchObject({ code: "too_many_messages", retry_after: 5 });
      await ended;
      const refusal = await enter(user).catch((error) => error);
      expect(refusal.data).toMatchObject({ code: "too_many_messages" });
      expect(refusal.data.retry_after).toBeGreaterThan(0);
    });

  test("floods from many sockets of one user count as one", async () => {
    const user = await server.user("many-tabs");
    const tabs = await Promise.all(Array.from({ length: 30 }, () => enter(user)));
    const limited = Promise.race(tabs.map((tab) => nextEvent<Limited>(tab, "limited")));
    for (const tab of tabs) for (let i = 0; i < 300; i++) tab.emit("nonsense");
    expect((await limited).code).toBe("too_many_messages");
  });

  test("an older page that saves an image of two thousand annotations does not count as a flood", async () => {
    const socket = await enter(ann);
    const annotation = { id: 1, paper_object: ["CompoundPath", { children: "x".repeat(1_000) }] };
    for (let i = 0; i < 2_000; i++) socket.emit("annotation", { action: "modify", annotation, uuid: "a" });
    await follow(socket, image);
    expect(socket.connected).toBe(true);
  });

  test("requests with methods that no client uses are refused without a server error", async () => {
    for (const transport of ["polling", "websocket"])
      for (const method of ["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]) {
        const opened = await ann.fetch("GET", `/limn/socket.io/?EIO=4&transport=${transport}`);
        const [, sid = ""] = /"sid":"([^"]+)"/.exec(await opened.text()) ?? [];
        const address = `/limn/socket.io/?EIO=4&transport=${transport}&sid=${sid}`;
        expect((await ann.fetch(method, address)).status, `${method} ${transport}`).toBe(405);
      }
  });

  test("a flood of connections ends at the hundredth, and the reason is given", async () => {
    const user = await server.user("hundred-tabs");
    const tabs = Array.from({ length: 102 }, () => enter(user).catch((error) => error.data?.code));
    const refused = (await Promise.all(tabs)).filter((tab) => typeof tab === "string");
    expect(refused).toEqual(["too_many_connections", "too_many_connections"]);
  });

  test("a flood of handshakes with invalid cookies does not lock out users with a valid one", async () => {
    const socket = await enter(ann);
    const wrong = Array.from({ length: 400 }, (_, i) =>
      openSocket(server.url, `limn_session_limn=${String(i).padStart(43, "x")}`),
    );
    sockets.push(...wrong);
    await Promise.all(wrong.map((tried) => nextEvent(tried, "connect_error")));
    await expect(enter(ann)).resolves.toMatchObject({ connected: true });
    expect(socket.connected).toBe(true);
  });

  test("a page is notified if the server could not look up an image, and can follow the image when it asks again", async () => {
    const socket = await enter(ann);
    isDatabaseAway = true;
    expect(await follow(socket, image)).toEqual({ error: "unavailable" });
    isDatabaseAway = false;
    expect(await follow(socket, image)).toEqual({ usernames: ["ann"] });
  });
});
