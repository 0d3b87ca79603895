import { setTimeout as wait } from "node:timers/promises";
import type { Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { MAX_POINTED, type OthersPointing } from "../../../shared/events";
import { describeOnBothDatabases } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { makeMembers } from "../../support/members";
import { startServer, type TestServer } from "../../support/server";
import { cookieOfToken, openSocket, waitForConnection } from "../../support/sockets";

/** Long enough for an event to arrive that nobody should receive. */
const SILENCE_MS = 200;

describeOnBothDatabases("pointers of other users", (open) => {
  let server: TestServer;
  let image: number;
  let other: number;
  let tokens: string[];
  const sockets: Socket[] = [];
  beforeAll(async () => {
    server = await startServer(await open());
    const owner = await server.user("owner");
    const dataset = await seedDataset(server.db, { ownerId: owner.id });
    [image, other] = [await seedImage(server.db, dataset), await seedImage(server.db, dataset)];
    tokens = await makeMembers(server.db, dataset, 3);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  afterAll(() => server.close());

  /** Connects a member who has the image open, and returns the events that arrive. */
  async function enter(member: number, image_id: number, options = {}) {
    const socket = openSocket(server.url, cookieOfToken({ BASE_PATH: "/" }, tokens[member] ?? ""), options);
    sockets.push(socket);
    await waitForConnection(socket);
    const received: OthersPointing[] = [];
    socket.on("pointing", (event: OthersPointing) => received.push(event));
    await socket.emitWithAck("annotating", { image_id, active: true });
    return { socket, received };
  }

  const UUID = "0b8f6c2e-3f53-4c1e-9a53-6f4f2a1f9d10";

  test("reach the pages with the same image open, and no others", async () => {
    const [ann, ben, cem] = [await enter(0, image), await enter(1, image), await enter(2, other)];
    ann.socket.emit("pointing", { image_id: image, place: [12, 7], selected: [UUID] });
    await expect.poll(() => ben.received).toHaveLength(1);
    const [event] = ben.received;
    expect(event).toEqual({
      image_id: image,
      place: [12, 7],
      selected: [UUID],
      username: "member-0",
      from: expect.any(String),
    });
    await wait(SILENCE_MS);
    expect([ann.received, cem.received]).toEqual([[], []]);
  });

  test("end when the user opens another image or disconnects", async () => {
    const [ann, ben] = [await enter(0, image), await enter(1, image)];
    ann.socket.emit("pointing", { image_id: image, place: [1, 2], selected: [] });
    await expect.poll(() => ben.received).toHaveLength(1);
    await ann.socket.emitWithAck("annotating", { image_id: other, active: true });
    await expect.poll(() => ben.received).toHaveLength(2);
    expect(ben.received[1]).toMatchObject({ place: null, selected: [], from: ben.received[0]?.from });
    await ann.socket.emitWithAck("annotating", { image_id: image, active: true });
    ann.socket.emit("pointing", { image_id: image, place: [3, 4], selected: [] });
    await expect.poll(() => ben.received.at(-1)?.place).toEqual([3, 4]);
    ann.socket.close();
    await expect.poll(() => ben.received.at(-1)?.place).toBeNull();
  });

  test("are dropped for an image that the sender has not open, and if they are malformed or too many", async () => {
    const [ann, ben] = [await enter(0, image), await enter(1, other)];
    const fine = { image_id: image, place: [1, 2], selected: [] };
    for (const event of [
      { ...fine, image_id: other },
      { ...fine, place: [1] },
      { ...fine, place: ["1", 2] },
      { ...fine, place: [1e9, 2] },
      { ...fine, selected: ["x"] },
      { ...fine, selected: Array.from({ length: MAX_POINTED + 1 }, () => UUID) },
      null,
      "pointing",
    ])
      ann.socket.emit("pointing", event);
    await wait(SILENCE_MS);
    expect(ben.received).toEqual([]);
    const cem = await enter(2, image);
    for (let i = 0; i < 80; i++) ann.socket.emit("pointing", { ...fine, place: [i, i], selected: [] });
    await expect.poll(() => cem.received.length).toBeGreaterThan(5);
    await wait(SILENCE_MS);
    expect(cem.received.length).toBeLessThan(60);
  });

  test("are not passed to clients that take no presence in batches", async () => {
    const [ann, older] = [await enter(0, image), await enter(1, image, { auth: {} })];
    ann.socket.emit("pointing", { image_id: image, place: [1, 2], selected: [] });
    await wait(SILENCE_MS);
    expect(older.received).toEqual([]);
  });
});
