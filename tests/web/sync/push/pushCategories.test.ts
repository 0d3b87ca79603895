import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AnnotationEdit } from "../../../../shared/edits/edit";
import { categoryOfInput } from "../../../../shared/rules/categoryOfInput";
import { Journal, type NewCategoryRow } from "../../../../web/sync/journal/journal";
import { Sync } from "../../../../web/sync/push/sync";
import { eventually } from "../../../support/eventually";

const BUOY: NewCategoryRow = { id: 50, input: { name: "buoy", color: "#112233" }, dataset_id: 1 };

let name: string;
let journal: Journal;
let sync: Sync | undefined;
/** Status with which the server responds to new categories. */
let status: number;
/** Names of what the server received, in order. */
let received: string[];

beforeEach(() => {
  name = randomUUID();
  journal = new Journal(name);
  status = 200;
  received = [];
});
afterEach(async () => {
  await sync?.wipe();
  sync = undefined;
  journal.close();
});

function open(): Sync {
  sync = new Sync(
    name,
    async ({ edits }) => {
      received.push(...(edits as AnnotationEdit[]).map(({ after }) => `edit ${after.category_id}`));
      return { answers: (edits as AnnotationEdit[]).map(({ uuid }) => ({ uuid, status: "applied", revision: 1 })) };
    },
    undefined,
    async ({ id, input }) => {
      if (status !== 200) throw Object.assign(new Error("no"), { status });
      received.push(`category ${id}`);
      return { ...categoryOfInput(id, input, "ada"), name: "buoy 2" };
    },
  );
  return sync;
}

const edit = (): AnnotationEdit => ({
  ...{ uuid: randomUUID(), image_id: 3, base: 0, subject: "annotation", target: randomUUID(), action: "create" },
  ...{ before: {}, after: { category_id: BUOY.id } },
});

it("a category created offline is sent once, before the edits that refer to it", async () => {
  await journal.addCategory(BUOY);
  const opened = open();
  const heard: string[] = [];
  opened.onCategory({ onCreated: (category, row) => heard.push(`${row.input.name} is ${category.name}`) });
  await opened.record([edit()]);
  await eventually(() => expect(received).toEqual(["category 50", "edit 50"]));
  await opened.flush();
  expect(received).toHaveLength(2);
  expect(heard).toEqual(["buoy is buoy 2"]);
  expect(await opened.newCategories()).toEqual([]);
});

it("a new category waits, is counted, and holds its edits back while the server is away or the user is logged out", async () => {
  status = 0;
  await journal.addCategory(BUOY);
  const opened = open();
  await opened.record([edit()]);
  await eventually(() => expect(opened.state.getState()).toMatchObject({ pending: 2, phase: "offline" }));
  status = 401;
  await opened.flush();
  expect(opened.state.getState().phase).toBe("signedOut");
  expect(received).toEqual([]);
  status = 200;
  await opened.flush();
  expect(received).toEqual(["category 50", "edit 50"]);
});

it("a category that the server refuses holds nothing back, and is reported with the reason", async () => {
  status = 409;
  await journal.addCategory(BUOY);
  const opened = open();
  const refused: string[] = [];
  opened.onCategory({ onRefused: ({ input }, reason) => refused.push(`${input.name}: ${reason}`) });
  await opened.record([edit()]);
  await eventually(() => expect(received).toEqual(["edit 50"]));
  expect(refused).toEqual(["buoy: no"]);
  expect(await opened.newCategories()).toEqual([]);
});
