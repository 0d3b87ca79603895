import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Edit } from "../../../../shared/edits/edit";
import { Journal } from "../../../../web/sync/journal/journal";
import { MemoryJournal } from "../../../../web/sync/push/memoryJournal";
import { Recorder } from "../../../../web/sync/push/recorder";

/** Callbacks that wait for the next frame. */
let frames: (() => void)[] = [];
const opened: Journal[] = [];

beforeEach(() => {
  frames = [];
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => frames.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const journal of opened.splice(0)) journal.close();
});

function openJournal(name: string): Journal {
  const journal = new Journal(name);
  opened.push(journal);
  return journal;
}

const record = (journal: Journal) => new Recorder("one-client", journal, new MemoryJournal());

const edits = (count: number): Edit[] =>
  Array.from({ length: count }, () => ({
    ...{ uuid: randomUUID(), image_id: 3, base: 1, subject: "annotation", target: randomUUID(), action: "modify" },
    ...{ before: { category_id: 1 }, after: { category_id: 2 } },
  })) as Edit[];

test("many edits are journalled after the frame that shows them, and later ones after them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const journal = openJournal(randomUUID());
  const recorder = record(journal);
  const [many, one] = [edits(150), edits(1)];
  const written = Promise.all([recorder.record(many), recorder.record(one)]);
  expect(await journal.countQueued()).toBe(0);
  for (const frame of frames) frame();
  vi.advanceTimersByTime(1);
  await written;
  expect((await journal.queued(1_000)).map(({ edit }) => edit)).toEqual([...many, ...one]);
});

test("opening an image waits until many edits are journalled, also if no frame is painted", async () => {
  const recorder = record(openJournal(randomUUID()));
  const many = edits(150);
  void recorder.record(many);
  expect(await recorder.pendingOf(3)).toEqual(many);
});

test("opening an image waits until its edits are journalled, but not for those that are written after them", async () => {
  const journal = openJournal(randomUUID());
  const recorder = record(journal);
  const [before, wanted, after] = [4, 3, 5].map((image_id) => ({ ...edits(1)[0]!, image_id }));
  const add = journal.add.bind(journal);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  vi.spyOn(journal, "add").mockImplementation(async (rows) => {
    if (rows[0]?.image_id === 5) await ended;
    return add(rows);
  });
  const written = [before, wanted, after].map((edit) => recorder.record([edit!]));
  expect(await recorder.pendingOf(3)).toEqual([wanted]);
  end();
  await Promise.all(written);
  expect(await recorder.pendingOf(5)).toEqual([after]);
});

test("closing the page writes many edits at once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const journal = openJournal(randomUUID());
  const written = record(journal).record(edits(150));
  await Promise.resolve();
  window.dispatchEvent(new Event("pagehide"));
  await written;
  expect(await journal.countQueued()).toBe(150);
});

test("a journal that is deleted while many edits wait does not come back", async () => {
  const name = randomUUID();
  const recorder = record(openJournal(name));
  const written = recorder.record(edits(150));
  await recorder.wipe();
  await written;
  expect((await indexedDB.databases()).map((each) => each.name)).not.toContain(name);
});

test("edits name the queued edits of earlier pages that this page has shown, of the same image and subject", async () => {
  const name = randomUUID();
  const [first, second] = [edits(1)[0]!, edits(1)[0]!];
  await record(openJournal(name)).record([first, second]);
  const journal = openJournal(name);
  const recorder = new Recorder("next-client", journal, new MemoryJournal());
  const next = (edit: Edit, image_id = 3): Edit => ({ ...edit, uuid: randomUUID(), image_id });
  await recorder.record([next(first)]);
  await recorder.pendingOf(3);
  await recorder.record([next(first), next(second), next(first, 4)]);
  const [, , before, ...after] = await journal.queued(10);
  expect(before?.edit.knows).toBeUndefined();
  expect(after.map(({ edit }) => edit.knows)).toEqual([[first.uuid], [second.uuid], undefined]);
});

test("edits name the hundred newest edits that this page has shown", async () => {
  const name = randomUUID();
  const [first] = edits(1);
  const earlier = Array.from({ length: 103 }, () => ({ ...first!, uuid: randomUUID() }));
  await record(openJournal(name)).record(earlier.slice(0, 60));
  await record(openJournal(name)).record(earlier.slice(60));
  const journal = openJournal(name);
  const recorder = new Recorder("next-client", journal, new MemoryJournal());
  for (let i = 0; i < 2; i++) await recorder.pendingOf(3);
  await recorder.record([{ ...first!, uuid: randomUUID() }]);
  const last = (await journal.queued(200)).at(-1);
  expect(last?.edit.knows).toEqual(earlier.slice(3).map(({ uuid }) => uuid));
});
