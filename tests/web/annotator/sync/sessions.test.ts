import { beforeEach, describe, expect, test } from "vitest";
import type { WorkSession } from "../../../../shared/edits/edit";
import { workSession } from "../../../../shared/edits/edit";
import { COUNTED_IDLE_MS, IDLE_MS } from "../../../../web/annotator/sync/attention";
import { PIECE_MS, Sessions, SHORTEST_MS } from "../../../../web/annotator/sync/sessions";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

const START = 1_700_000_000_000;
const ONE = uuidOf(1);
const TWO = uuidOf(2);

let now = 0;
let tool = "Select";
let records: WorkSession[] = [];
let sessions: Sessions;

beforeEach(() => {
  now = 5_000;
  tool = "Select";
  records = [];
  sessions = new Sessions({
    imageId: 7,
    tool: () => tool,
    record: (session) => records.push(session),
    now: () => now,
    today: () => START + now,
  });
});

/** Sends input after each of these pauses. */
function work(...pauses: number[]) {
  for (const pause of pauses) {
    now += pause;
    sessions.input();
  }
}

const of = (annotation: string | null) => records.filter(({ annotation_uuid }) => annotation_uuid === annotation);
const times = (annotation: string | null) => of(annotation).map(({ milliseconds }) => milliseconds);

test("each selection of an annotation makes one record, with the start time and the tools used", () => {
  work(1000);
  sessions.selectAnnotation(ONE);
  work(2000);
  sessions.addTool("Brush");
  work(3000);
  sessions.selectAnnotation(TWO);
  work(500);
  sessions.selectAnnotation(ONE);
  work(700);
  sessions.selectAnnotation(null);
  expect(of(ONE)).toMatchObject([
    { image_id: 7, start: START + 6000, milliseconds: 5000, tools: ["Select", "Brush"] },
    { start: START + 11_500, milliseconds: 700, tools: ["Select"] },
  ]);
  expect(times(TWO)).toEqual([500]);
  expect(new Set(records.map(({ uuid }) => uuid)).size).toBe(3);
});

test("the image's own record covers the whole time from opening to leaving the image", () => {
  work(1000);
  sessions.selectAnnotation(ONE);
  work(2000);
  sessions.close();
  expect(times(ONE)).toEqual([2000]);
  expect(of(null)).toMatchObject([{ start: START + 5000, milliseconds: 3000, tools: ["Select"] }]);
});

test("idle time is cut off: a long pause counts as a short look", () => {
  sessions.selectAnnotation(ONE);
  work(IDLE_MS, IDLE_MS + 1, 400);
  sessions.selectAnnotation(null);
  expect(times(ONE)).toEqual([IDLE_MS + COUNTED_IDLE_MS + 400]);
});

test("a long absence with an annotation selected counts as a short look", () => {
  sessions.selectAnnotation(ONE);
  work(1000);
  now += 3_600_000;
  sessions.close();
  expect(times(ONE)).toEqual([1000 + COUNTED_IDLE_MS]);
});

test("hiding the page ends the record, and showing it starts another", () => {
  sessions.selectAnnotation(ONE);
  work(1000);
  sessions.pause();
  now += 30_000;
  sessions.input();
  sessions.resume();
  work(400);
  sessions.close();
  expect(times(ONE)).toEqual([1000, 400]);
  expect(times(null)).toEqual([1000, 400]);
});

test("a selection made while the page is hidden counts from when it is visible", () => {
  sessions.pause();
  sessions.selectAnnotation(ONE);
  now += 5000;
  sessions.resume();
  work(600);
  sessions.selectAnnotation(null);
  expect(times(ONE)).toEqual([600]);
});

test("a brief selection in passing leaves no record", () => {
  sessions.selectAnnotation(ONE);
  work(SHORTEST_MS - 1);
  sessions.selectAnnotation(TWO);
  work(SHORTEST_MS);
  sessions.selectAnnotation(null);
  expect(times(ONE)).toEqual([]);
  expect(times(TWO)).toEqual([SHORTEST_MS]);
});

test("long work is recorded in pieces that add up to the whole time", () => {
  sessions.selectAnnotation(ONE);
  for (let i = 0; i < 100; i++) work(10_000);
  sessions.close();
  expect(times(ONE).reduce((sum, each) => sum + each, 0)).toBe(1_000_000);
  expect(Math.max(...times(ONE))).toBeLessThanOrEqual(PIECE_MS + 10_000);
});

test("nothing counts after closing", () => {
  work(1000);
  sessions.close();
  sessions.resume();
  work(1000);
  sessions.close();
  expect(times(null)).toEqual([1000]);
});

test("every record is valid for the server, however many tools were used", () => {
  sessions.selectAnnotation(ONE);
  for (let i = 0; i < 1500; i++) sessions.addTool("Magic Wand");
  work(0.4, 1000.3);
  sessions.close();
  for (const record of records) expect(workSession.parse(record)).toEqual(record);
});

describe("sessions in the editor", () => {
  test("sessions record selections and tools, and end on leaving", async () => {
    const editor = new TestEditor(sceneOf([annotationOf(1), annotationOf(2)]));
    editor.editor.selection.selectAnnotation(annotationOf(1));
    editor.choose("Polygon");
    await new Promise((resolve) => setTimeout(resolve, SHORTEST_MS + 20));
    editor.window.dispatchEvent(new Event("pointermove"));
    editor.editor.selection.selectAnnotation(annotationOf(2));
    expect(editor.sessions).toMatchObject([{ annotation_uuid: ONE, image_id: 7, tools: ["Select", "Polygon"] }]);
    editor.editor.leave();
    expect(editor.sessions.filter(({ annotation_uuid }) => annotation_uuid === null)).toHaveLength(1);
    editor.editor.close();
    expect(editor.sessions.filter(({ annotation_uuid }) => annotation_uuid === null)).toHaveLength(1);
  });

  test("sessions are recorded when the page closes", async () => {
    const editor = new TestEditor(sceneOf([annotationOf(1)]));
    editor.editor.selection.selectAnnotation(annotationOf(1));
    await new Promise((resolve) => setTimeout(resolve, SHORTEST_MS + 20));
    editor.window.dispatchEvent(new Event("pagehide"));
    expect(editor.sessions.map(({ annotation_uuid }) => annotation_uuid).sort()).toEqual([ONE, null].sort());
    editor.editor.close();
  });
});
