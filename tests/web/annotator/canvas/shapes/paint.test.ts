import { expect, test } from "vitest";
import { paintShape } from "../../../../../web/annotator/canvas/shapes/paint";

/** Records the opacity of fills and the styles of lines. */
class Context {
  globalAlpha = 1;
  strokeStyle = "";
  readonly fills: number[] = [];
  readonly lines: string[] = [];
  beginPath() {}
  moveTo() {}
  lineTo() {}
  closePath() {}
  fill() {
    this.fills.push(this.globalAlpha);
  }
  stroke() {
    this.lines.push(this.strokeStyle);
  }
}

test("a marked shape is filled like the others, and has a light outline instead of a coloured one", () => {
  const shape = { rings: [[[0, 0, 9, 0, 9, 9]]], color: "#ff0000", dots: [], lines: [] };
  const brush = { to: { scale: 1, x: 0, y: 0 }, ratio: 1, opacity: 0.4, line: 1.5 };
  const [plain, marked] = [new Context(), new Context()];
  paintShape(plain as unknown as CanvasRenderingContext2D, shape, brush);
  paintShape(marked as unknown as CanvasRenderingContext2D, { ...shape, isMarked: true }, brush);
  expect([plain.fills, marked.fills]).toEqual([[0.4], [0.4]]);
  expect(plain.lines).toEqual(["#ff0000"]);
  expect(marked.lines.at(-1)).toBe("#ffffff");
});
