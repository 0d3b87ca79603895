import { setTimeout as wait } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PRESENCE_IN_BATCHES } from "../../../shared/events";
import { openEither, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { TestClient } from "../../support/testClient";
import { expectedStatus, type State } from "./expected";
import { type Fixture, makeFixture, makeTestUsers, moveToTrash, ROLES, type Role, type TestUsers } from "./fixture";
import { receiverRights, senderRights } from "./socketMatrix";

/** Long enough for an event to arrive that nobody should receive. */
const SILENCE_MS = 150;

/** Every event of the live connection, for every role, in every state of the image, with login enabled and disabled. */
describe("rights of the live connection", () => {
  let database: TestDatabase;
  let server: TestServer;
  let open: TestServer;
  let users: TestUsers;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    open = await startServer(database, { env: { LOGIN_DISABLED: "true", DATA_DIR: server.env.DATA_DIR } });
    users = await makeTestUsers(server, open);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  afterAll(async () => {
    await server.close();
    await open.close();
    await database.close();
  });

  test("the server listens to no event without a row in the matrix", async () => {
    await connect(users.cast.owner);
    const [socket] = server.sockets.io.of("/").sockets.values();
    const listened = socket
      ?.eventNames()
      .map(String)
      .filter((name) => !OF_THE_LIBRARY.includes(name));
    expect(listened).not.toHaveLength(0);
    for (const name of listened ?? []) expect(senderRights).toHaveProperty(name);
  });

  for (const state of ["live", "dataset", "image"] as State[])
    test(`an image, ${state === "live" ? state : `${state} in the trash`}`, async () => {
      const fixture = await makeFixture(server, users);
      if (state !== "live") await moveToTrash(server, state, fixture);
      const connections = await connectAllRoles(fixture);
      const lists = await Promise.all([...connections.values()].map(({ list }) => showsList(list, fixture)));
      expect(lists.filter(Boolean)).toHaveLength(permitted(senderRights.listing, state, [...connections.keys()]));
      for (const client of [users.cast.admin, users.cast["login off"]]) enter(await connect(client), fixture);
      for (const { socket } of connections.values()) enter(socket, fixture);
      await expect.poll(() => countFollowers(fixture)).toBe(countAllowed(state));
      for (const { socket } of connections.values()) socket.emit("annotation", { ...change(fixture), uuid: "forged" });
      for (const { live } of [server.services, open.services]) {
        live.notifyImageRoom(change(fixture));
        live.notifyCategories([fixture.dataset]);
        live.notifyTaskProgress({ ...PROGRESS, dataset_id: fixture.dataset, creator_id: null });
      }
      await expect.poll(() => missingEvents(connections, state)).toEqual([]);
      await wait(SILENCE_MS);
      for (const [role, { events }] of connections) {
        for (const [name, row] of Object.entries(receiverRights))
          expect(events.has(name), `${role} hears ${name}`).toBe(expectedStatus(row, role, state) === undefined);
        expect(events).not.toContain("forged");
      }
    });

  /**
   * Connects sockets of all admitted roles, and expects that the others are refused. They note the events of this
   * fixture: users of the previous test may still be leaving its image.
   */
  async function connectAllRoles(fixture: Fixture): Promise<Connections> {
    const connections: Connections = new Map();
    for (const role of ROLES) {
      const socket = await connect(users.cast[role]);
      const isOut = role === "visitor" || role === "deleted account";
      expect(socket.connected, role).toBe(!isOut);
      if (isOut) continue;
      const events = new Set<string>();
      for (const name of Object.keys(receiverRights))
        socket.on(name, (event) => concerns(event, fixture) && events.add(event.uuid ?? name));
      const list = await connect(users.cast[role], PRESENCE_IN_BATCHES);
      list.on("presence", (changes) => {
        if (changes.some((change: object) => concerns(change, fixture))) events.add("presence");
      });
      connections.set(role, { socket, list, events });
    }
    return connections;
  }

  /** Returns the socket once it is connected or refused. */
  async function connect(client: TestClient, auth = {}): Promise<Socket> {
    const { origin } = new URL(client.url);
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const socket = io(origin, { transports: ["websocket"], extraHeaders: { Cookie: cookie }, auth, forceNew: true });
    sockets.push(socket);
    await new Promise<void>((done) => {
      socket.once("connect", done);
      socket.once("connect_error", () => done());
    });
    return socket;
  }

  const enter = (socket: Socket, { image }: Fixture) => socket.emit("annotating", { image_id: image, active: true });

  /** Returns the number of sockets that follow the image, on both servers. */
  const countFollowers = ({ image }: Fixture): number =>
    [server, open]
      .map(({ sockets }) => sockets.io.of("/").adapter.rooms.get(`image ${image}`)?.size ?? 0)
      .reduce((a, b) => a + b);

  /** Returns the number of sockets that may follow: one for each permitted role, and the first ones. */
  const countAllowed = (state: State): number =>
    permitted(senderRights.annotating, state, [...ROLES, "admin", "login off"]);
});

const concerns = (event: { image_id?: number; dataset_id?: number }, { image, dataset }: Fixture): boolean =>
  event.image_id === image || event.dataset_id === dataset;

type Connections = Map<Role, { socket: Socket; list: Socket; events: Set<string> }>;

function permitted(
  row: (typeof senderRights)[keyof typeof senderRights],
  state: State,
  roles: readonly Role[],
): number {
  return row === "nobody" ? 0 : roles.filter((role) => expectedStatus(row, role, state) === undefined).length;
}

/** Resolves to true once the socket shows the dataset's list, and to false without an acknowledgement. */
const showsList = (socket: Socket, { dataset }: Fixture): Promise<boolean> =>
  socket
    .timeout(SILENCE_MS * 10)
    .emitWithAck("listing", { dataset_id: dataset, active: true })
    .then(
      () => true,
      () => false,
    );

/** Returns the expected events that have not arrived yet. */
const missingEvents = (connections: Connections, state: State): string[] =>
  [...connections].flatMap(([role, { events }]) =>
    Object.entries(receiverRights)
      .filter(([name, row]) => expectedStatus(row, role, state) === undefined && !events.has(name))
      .map(([name]) => `${role}: ${name}`),
  );

const OF_THE_LIBRARY = ["disconnect", "error"];

const PROGRESS = { id: 1, progress: 50, warnings: 0, errors: 0, state: "running" as const };

const change = ({ image, annotation, category }: Fixture) => ({
  action: "modify" as const,
  annotation: { id: annotation, image_id: image, category_id: category, uuid: crypto.randomUUID() },
  category_id: category,
  uuid: null,
  image_id: image,
  image_revision: 2,
});
