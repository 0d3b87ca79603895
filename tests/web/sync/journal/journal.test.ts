import { randomUUID } from "node:crypto";
import Dexie from "dexie";
import { afterEach, expect, it, vi } from "vitest";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import { Journal, type JournalRow, type NewRow } from "../../../../web/sync/journal/journal";

const opened: Journal[] = [];
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close();
});

function open(name: string): Journal {
  const journal = new Journal(name);
  opened.push(journal);
  return journal;
}

function row(): NewRow {
  const edit: AnnotationEdit = {
    uuid: randomUUID(),
    image_id: 3,
    base: 1,
    subject: "annotation",
    target: randomUUID(),
    action: "modify",
    before: {},
    after: { color: "#123456" },
  };
  return { uuid: edit.uuid, client: "one-client", image_id: 3, edit, saw: 0 };
}

it("removes completed edits and updates queued ones", async () => {
  const journal = open(randomUUID());
  await journal.add([row(), row(), row()]);
  const [first, second, third] = await journal.queued(10);
  if (!first || !second || !third) throw new Error("three rows expected");
  await journal.settle([first.seq], [{ ...second, state: "draft", reason: "no" }]);
  expect(await journal.queued(10)).toEqual([third]);
  expect(await journal.conflicts()).toMatchObject([{ uuid: second.uuid, reason: "no" }]);
});

it("does not restore edits that another tab has settled or the user has dismissed", async () => {
  const name = randomUUID();
  const [one, two] = [open(name), open(name)];
  await one.add([row(), row()]);
  const [sent, conflicting] = await one.queued(10);
  if (!sent || !conflicting) throw new Error("two rows expected");
  await two.settle([sent.seq], [{ ...conflicting, state: "draft" }]);
  await two.settle([conflicting.seq], []);
  await one.settle(
    [],
    [
      { ...sent, edit: { ...sent.edit, base: 2 } },
      { ...conflicting, state: "draft" },
    ],
  );
  expect(await one.ofImage(3)).toEqual([]);
});

it("does not send an edit again that another tab has made a conflict", async () => {
  const name = randomUUID();
  const [one, two] = [open(name), open(name)];
  await one.add([row()]);
  const [known] = await one.queued(10);
  if (!known) throw new Error("a row expected");
  await two.settle([], [{ ...known, state: "draft", reason: "bob was faster" }]);
  await one.settle([], [{ ...known, edit: { ...known.edit, base: 2 } }]);
  expect(await one.queued(10)).toEqual([]);
  expect(await one.conflicts()).toMatchObject([{ reason: "bob was faster", edit: { base: 1 } }]);
});

it("stores many rows in a few records, and returns them in order with those of other tabs", async () => {
  const name = randomUUID();
  const [one, two] = [open(name), open(name)];
  const added = vi.spyOn(IDBObjectStore.prototype, "add");
  const [before, many, after] = [[row()], Array.from({ length: 1200 }, row), [row(), row()]];
  await one.add(before);
  await one.add(many);
  expect(added).toHaveBeenCalledTimes(1 + 3);
  await two.add(after);
  const all = [...before, ...many, ...after].map(({ uuid }) => uuid);
  const uuidsOf = (rows: readonly { uuid: string }[]) => rows.map(({ uuid }) => uuid);
  const read: JournalRow[] = [];
  for (let rows = await one.queued(70); rows.length > 0; rows = await one.queued(70, rows.at(-1)?.seq))
    read.push(...rows);
  expect(uuidsOf(read)).toEqual(all);
  expect(read.map(({ seq }) => seq)).toEqual(read.map(({ seq }) => seq).toSorted((a, b) => a - b));
  expect(uuidsOf(await two.ofImage(3))).toEqual(all);
  expect(uuidsOf(await two.all())).toEqual(all);
  expect([await two.countQueued(), await two.lastSeq()]).toEqual([1203, read.at(-1)?.seq]);
});

/** Returns all queued rows, read page by page as the pusher does. */
async function readAll(journal: Journal, page: number): Promise<JournalRow[]> {
  const read: JournalRow[] = [];
  for (let rows = await journal.queued(page); rows.length > 0; rows = await journal.queued(page, rows.at(-1)?.seq))
    read.push(...rows);
  return read;
}

it("reads a pack that this tab has added from memory, and another tab's only once", async () => {
  const name = randomUUID();
  const [one, two] = [open(name), open(name)];
  await one.add(Array.from({ length: 1200 }, row));
  const got = vi.spyOn(IDBObjectStore.prototype, "get");
  const own = await readAll(one, 70);
  expect(got).not.toHaveBeenCalled();
  expect(await readAll(two, 70)).toEqual(own);
  expect(got).toHaveBeenCalledTimes(3);
  got.mockRestore();
});

it("does not return rows from memory that another tab has settled", async () => {
  const name = randomUUID();
  const [one, two] = [open(name), open(name)];
  await one.add(Array.from({ length: 600 }, row));
  const [first, second, ...others] = await two.queued(1000);
  if (!first || !second) throw new Error("two rows expected");
  await two.settle([first.seq], [{ ...second, edit: { ...second.edit, base: 2 } }]);
  const left = await one.queued(1000);
  expect(left.map(({ seq, edit }) => [seq, edit.base])).toEqual([
    [second.seq, 2],
    ...others.map(({ seq, edit }) => [seq, edit.base]),
  ]);
});

it("settles some of many rows, and the others keep their place", async () => {
  const journal = open(randomUUID());
  await journal.add(Array.from({ length: 1000 }, row));
  const rows = await journal.queued(2000);
  const [rebased, refused, last] = [rows[600], rows[601], rows[999]];
  if (!rebased || !refused || !last) throw new Error("rows expected");
  await journal.settle(
    rows.slice(0, 600).map(({ seq }) => seq),
    [
      { ...rebased, edit: { ...rebased.edit, base: 2 } },
      { ...refused, state: "draft", reason: "no" },
    ],
  );
  const left = await journal.queued(2000);
  expect(left.map(({ seq }) => seq)).toEqual([rebased, ...rows.slice(602)].map(({ seq }) => seq));
  expect(left[0]?.edit.base).toBe(2);
  expect(await journal.conflicts()).toMatchObject([{ uuid: refused.uuid, reason: "no" }]);
  await journal.requeue([refused.seq]);
  expect((await journal.queued(2))[1]?.uuid).toBe(refused.uuid);
  await journal.settle(
    rows.slice(600).map(({ seq }) => seq),
    [],
  );
  expect([await journal.all(), await journal.countQueued()]).toEqual([[], 0]);
  await journal.add([row()]);
  expect((await journal.lastSeq()) > last.seq).toBe(true);
});

it("reads the rows of the earlier version", async () => {
  const name = randomUUID();
  const old = new Dexie(name);
  old.version(2).stores({
    edits: "++seq, &uuid, [state+seq], image_id",
    sessions: "uuid",
    preferences: "key",
    categories: "id",
  });
  await old.table("edits").add({ ...row(), state: "queued" });
  old.close();
  const journal = open(name);
  expect([await journal.countQueued(), (await journal.queued(5)).length]).toEqual([1, 1]);
});

it("stores edits once the browser opens the database again, after the first attempt failed", async () => {
  const journal = open(randomUUID());
  const opening = vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("no space", "QuotaExceededError");
  });
  await expect(journal.add([row()])).rejects.toThrow("no space");
  await expect(journal.countQueued()).rejects.toThrow("no space");
  opening.mockRestore();
  await journal.add([row()]);
  expect(await journal.countQueued()).toBe(1);
});

it("stays closed", async () => {
  const journal = open(randomUUID());
  await journal.add([row()]);
  journal.close();
  await expect(journal.countQueued()).rejects.toThrow();
  await expect(journal.add([row()])).rejects.toThrow();
});
