import { expect, test, vi } from "vitest";
import { SlowNote } from "../../../../web/annotator/tools/common/SlowNote";

test("a computation shows the cursor, but not after the tool was left: the cursor is the next tool's then", () => {
  const ports = { showCursor: vi.fn(), showNote: vi.fn() };
  const note = new SlowNote(ports, "Looking…");
  note.begin({ x: 1, y: 1 });
  expect(ports.showCursor.mock.calls).toEqual([["progress"]]);
  note.close();
  note.end();
  note.begin({ x: 1, y: 1 });
  note.end();
  expect(ports.showCursor.mock.calls).toEqual([["progress"], [null]]);
});
