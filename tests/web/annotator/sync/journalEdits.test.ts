import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { annotationOf, sceneOf, TestEditor, uuidOf } from "../testEditor";

/** Longer than the time without pending edits after which no response is expected any more. */
const QUIET_MS = 2_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Recolours an annotation, and lets the journal report that it has nothing to send any more. */
async function changeAndEmptyJournal(respond: boolean): Promise<TestEditor> {
  const editor = new TestEditor(sceneOf([annotationOf(1)]));
  editor.editor.commands.modify(uuidOf(1), { color: "#123456" }, "Colour");
  if (respond) editor.respond(editor.recorded[0]!, { status: "applied", revision: 4 });
  await vi.advanceTimersByTimeAsync(0);
  editor.editor.parts.sink.state.setState({ pending: 0, writing: 0, phase: "idle" });
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  return editor;
}

test("an image is reloaded if another tab received the responses to its edits, since they may be rejections", async () => {
  expect((await changeAndEmptyJournal(false)).reloaded).toBe(1);
});

test("an image whose edits were all acknowledged is not reloaded", async () => {
  expect((await changeAndEmptyJournal(true)).reloaded).toBe(0);
});
