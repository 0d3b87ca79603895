import type { PointerInput, PointerTarget } from "./pointer";
import type { Point, Size, View } from "./view";

/** Announces moves and presses of the cursor to screen readers. */
export interface CursorVoice {
  moved(at: Point): void;
  pressed(at: Point): void;
}

const STEPS: Record<string, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};
const LARGE_STEP = 10;
/** Distance in CSS pixels that the cursor keeps from the edges of the canvas. */
const MARGIN_PX = 24;

/**
 * A cursor on the image for work without a pointer: arrow keys move it by one image pixel, with Shift by ten, Enter
 * clicks, and Space presses, and releases when pressed again, so that arrow keys drag in between. It takes these keys
 * only while it is shown and the canvas has the focus.
 */
export class KeyCursor {
  private readonly mark = document.createElement("div");
  /** In image pixels; null while the cursor is hidden. */
  private at: Point | null = null;
  private isHeld = false;
  /** Place of the last click, until another key is pressed, because a second click there is a double click. */
  private clickedAt: Point | null = null;

  constructor(
    private readonly element: HTMLElement,
    private readonly view: View,
    private readonly target: PointerTarget,
    private readonly voice: CursorVoice,
    private readonly image: Size,
    signal: AbortSignal,
  ) {
    this.mark.className = "annotator-key-cursor";
    this.mark.hidden = true;
    element.append(this.mark);
    element.addEventListener("keydown", (event) => this.press(event), { signal });
    element.addEventListener("pointerdown", () => this.hide(), { signal });
  }

  /** Shows the cursor in the middle of the visible part of the image, or hides it. */
  toggle(): void {
    if (this.at) {
      this.hide();
      return;
    }
    const { x, y, width, height } = this.view.seen();
    this.at = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    this.mark.hidden = false;
    this.element.focus({ preventScroll: true });
    this.target.move(this.input(false));
    this.voice.moved(this.at);
    this.place();
  }

  place(): void {
    if (!this.at) return;
    const { x, y } = this.view.toScreen(this.at);
    this.mark.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  }

  private hide(): void {
    if (!this.at) return;
    if (this.isHeld) this.target.abort();
    this.isHeld = false;
    this.at = null;
    this.mark.hidden = true;
    this.target.leave();
  }

  private press(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Shift") this.clickedAt = null;
    if (!this.at || event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (step) this.move(step, event.shiftKey);
    // A key that is held down is one press: its repeats would be double clicks.
    else if (event.repeat) return;
    else if (event.key === "Enter") this.click(this.at, event.shiftKey);
    else this.hold(event.shiftKey);
  }

  private move(step: Point, isLarge: boolean): void {
    if (!this.at) return;
    const by = isLarge ? LARGE_STEP : 1;
    const { width, height } = this.image;
    this.at = {
      x: Math.min(Math.max(this.at.x + step.x * by, 0), width),
      y: Math.min(Math.max(this.at.y + step.y * by, 0), height),
    };
    this.keepInSight(this.at);
    const input = this.input(false);
    this.target.move(this.isHeld ? { ...input, trail: [this.at] } : input);
    this.voice.moved(this.at);
    this.place();
  }

  private click(at: Point, shift: boolean): void {
    if (this.isHeld) {
      this.hold(shift);
      return;
    }
    const isDouble = this.clickedAt?.x === at.x && this.clickedAt.y === at.y;
    this.clickedAt = isDouble ? null : at;
    const input = this.input(shift, isDouble ? 2 : 1);
    if (this.target.down(input)) this.target.up({ ...input, clicks: 0 });
    else this.target.click(input);
    this.voice.pressed(at);
  }

  /** Presses the cursor, or releases it if it is pressed. */
  private hold(shift: boolean): void {
    if (this.isHeld) {
      this.isHeld = false;
      this.target.up(this.input(shift));
    } else this.isHeld = this.target.down(this.input(shift, 1));
    if (this.at) this.voice.pressed(this.at);
  }

  private keepInSight(at: Point): void {
    const { x, y } = this.view.toScreen(at);
    const { width, height } = this.view.canvasSize;
    const [dx, dy] = [beyond(x, width), beyond(y, height)];
    if (dx !== 0 || dy !== 0) this.view.panBy(-dx, -dy);
  }

  private input(shift: boolean, clicks = 0): PointerInput {
    const image = this.at ?? { x: 0, y: 0 };
    return { image, screen: this.view.toScreen(image), shift, alt: false, kind: "mouse", clicks };
  }
}

/**
 * Returns the signed distance by which a coordinate lies beyond the margins of the canvas; 0 between the margins.
 * `side`: width or height of the canvas.
 */
function beyond(at: number, side: number): number {
  if (side < 2 * MARGIN_PX) return 0;
  return at < MARGIN_PX ? at - MARGIN_PX : Math.max(at - (side - MARGIN_PX), 0);
}
