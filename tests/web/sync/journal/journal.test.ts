import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import { Journal, type NewRow } from "../../../../web/sync/journal/journal";

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

it("does not restore what another tab has settled or the user has dismissed", async () => {
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

it("does not send again what another tab has made a conflict", async () => {
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
