// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EditBatch, WorkSession } from "../../../shared/edits/edit";
import { Handover } from "../../../web/sync/handover";
import { Sync } from "../../../web/sync/sync";

const session = (): WorkSession => ({
  uuid: randomUUID(),
  image_id: 3,
  annotation_uuid: null,
  start: 1_700_000_000_000,
  milliseconds: 1234,
  tools: ["Select"],
});

let opened: Sync[] = [];
let batches: EditBatch[] = [];

beforeEach(() => {
  localStorage.clear();
  batches = [];
});
afterEach(() => {
  for (const sync of opened) sync.close();
  opened = [];
});

function open(name: string): Sync {
  const sync = new Sync(name, async (batch) => {
    batches.push(batch);
    return { answers: [] };
  });
  opened.push(sync);
  return sync;
}

const sent = () => batches.flatMap(({ sessions }) => sessions ?? []);

it("keeps at once what is recorded, until the journal has it", async () => {
  const sync = open(randomUUID());
  const written = sync.recordSession(session());
  expect(localStorage).toHaveLength(1);
  await written;
  expect(localStorage).toHaveLength(0);
});

it("what a page that went has left, the next one sends, and nothing is left over", async () => {
  const name = randomUUID();
  const last = session();
  new Handover(name).put(last);
  open(name);
  await vi.waitFor(() => expect(sent()).toEqual([last]));
  expect(localStorage).toHaveLength(0);
});

it("another person's is not touched, rubbish is dropped", async () => {
  const [ada, bob] = [new Handover("limn / 1"), new Handover("limn / 12")];
  bob.put(session());
  localStorage.setItem("limn.handover limn / 1 x", "{]");
  localStorage.setItem("limn.handover limn / 1 y", '{"milliseconds": -1}');
  expect(ada.all()).toEqual([]);
  expect(bob.all()).toHaveLength(1);
  ada.wipe();
  expect(localStorage).toHaveLength(1);
});

it("goes with the journal when the person logs out", async () => {
  const name = randomUUID();
  const sync = open(name);
  new Handover(name).put(session());
  await sync.wipe();
  expect(localStorage).toHaveLength(0);
});
