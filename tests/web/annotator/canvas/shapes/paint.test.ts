import { expect, test } from "vitest";
import { CASING, highlightLines, paintShape } from "../../../../../web/annotator/canvas/shapes/paint";

/** Records the opacity of fills, the styles of lines and their dashes. */
class Context {
  globalAlpha = 1;
  strokeStyle = "";
  readonly fills: number[] = [];
  readonly lines: string[] = [];
  readonly dashes: number[][] = [];
  private dash: number[] = [];
  points = 0;
  beginPath() {
    this.points = 0;
  }
  moveTo() {
    this.points++;
  }
  lineTo() {
    this.points++;
  }
  closePath() {}
  fill() {
    this.fills.push(this.globalAlpha);
  }
  setLineDash(dash: number[]) {
    this.dash = dash;
  }
  stroke() {
    this.lines.push(this.strokeStyle);
    this.dashes.push(this.dash);
  }
}

test("a marked shape is filled like the others, and has a light outline instead of a coloured one", () => {
  const shape = { rings: [[[0, 0, 9, 0, 9, 9]]], color: "#ff0000", dots: [], lines: [] };
  const brush = { to: { scale: 1, x: 0, y: 0 }, ratio: 1, opacity: 0.4, line: 1.5 };
  const [plain, marked] = [new Context(), new Context()];
  paintShape(plain as unknown as CanvasRenderingContext2D, shape, brush);
  paintShape(marked as unknown as CanvasRenderingContext2D, { ...shape, isMarked: true }, brush);
  expect([plain.fills, marked.fills]).toEqual([[0.4], [0.4]]);
  expect(plain.lines).toEqual([CASING, "#ff0000"]);
  expect(marked.lines.at(-1)).toBe("#ffffff");
});

test("a locked shape has a dashed outline, unless outlines are hairlines, and the next shape does not", () => {
  const shape = { rings: [[[0, 0, 9, 0, 9, 9]]], color: "#ff0000", dots: [], lines: [], isLocked: true };
  const brush = { to: { scale: 1, x: 0, y: 0 }, ratio: 2, opacity: 0.4, line: 3 };
  const context = new Context();
  const paint = (locked: boolean, line: number) =>
    paintShape(context as unknown as CanvasRenderingContext2D, { ...shape, isLocked: locked }, { ...brush, line });
  paint(true, 3);
  paint(false, 3);
  paint(true, 1);
  // The casings are not dashed, and hairlines have none.
  expect(context.dashes).toEqual([[], [10, 8], [], [], []]);
});

test("a locked line is dashed without its way back, which would fill the gaps", () => {
  const shape = { rings: [[[0, 0, 9, 0, 9, 9, 9, 9, 9, 0]]], color: "#ff0000", dots: [], lines: [] };
  const brush = { to: { scale: 1, x: 0, y: 0 }, ratio: 1, opacity: 0.4, line: 2 };
  const painted = [true, false].map((isLocked) => {
    const context = new Context();
    paintShape(context as unknown as CanvasRenderingContext2D, { ...shape, isLocked }, brush);
    return context.points;
  });
  expect(painted).toEqual([3, 4]);
});

test("a marked or selected line shows its colour, since it has no area that could", () => {
  const shape = { rings: [[[0, 0, 9, 0, 9, 9, 9, 9, 9, 0]]], color: "#ff0000", dots: [], lines: [], isMarked: true };
  const brush = { to: { scale: 1, x: 0, y: 0 }, ratio: 1, opacity: 0.4, line: 2 };
  const context = new Context();
  paintShape(context as unknown as CanvasRenderingContext2D, shape, brush);
  expect(context.lines.at(-1)).toBe("#ff0000");
  expect(highlightLines(shape, 0.4).at(-1)?.color).toBe("#ff0000");
});

test("a selected area shows its colour in its outline if areas are not filled", () => {
  const shape = { rings: [[[0, 0, 9, 0, 9, 9]]], color: "#ff0000" };
  expect([0.4, 0].map((opacity) => highlightLines(shape, opacity).at(-1)?.color)).toEqual(["#ffffff", "#ff0000"]);
});
