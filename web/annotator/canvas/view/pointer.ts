import type { Point, View } from "./view";

export type PointerKind = "mouse" | "pen" | "touch";

/** Position of the pointer and the keys and buttons held down. */
export interface PointerInput {
  /** Image pixels. */
  image: Point;
  /** CSS pixels from the canvas's top left. */
  screen: Point;
  /** On the keyboard or on the screen. */
  shift: boolean;
  kind: PointerKind;
  /** Positions since the last event, in image pixels, the present one last; while a tool drags. */
  trail?: readonly Point[];
  /** Number of presses in quick succession at this place: 2 is a double click. */
  clicks: number;
}

/** Receiver of pointer events: the active tool. */
export interface PointerTarget {
  /** Returns false if the tool has no use for the press: then it moves the view. */
  down(input: PointerInput): boolean;
  /** A press that was nothing to the tool was released without moving. */
  click(input: PointerInput): void;
  move(input: PointerInput): void;
  up(input: PointerInput): void;
  /** The pointer has left the canvas. */
  leave(): void;
  /** The press was taken away (a second finger, a lost pointer): as if it had not been. */
  abort(): void;
}

/** Keys that are down while the pointer acts. */
export interface HeldKeys {
  isDown(key: string): boolean;
  /** The key has been used together with the pointer, so releasing it means nothing more. */
  use(key: string): void;
  /** State of the on-screen Shift button, for devices without a keyboard. */
  isShiftOnScreen(): boolean;
}

type Gesture =
  | { kind: "tool"; pointer: number; by: PointerKind }
  | { kind: "pan"; pointer: number; by: PointerKind; from: Point; last: Point; click: PointerInput | null }
  | { kind: "pinch"; fingers: Map<number, Point> };

const DOUBLE_MS = 350;
/** A press that moves less is a click, and two presses nearer than this are at one place. Fingers are less exact. */
const NEAR_PX: Record<PointerKind, { click: number; double: number }> = {
  mouse: { click: 4, double: 6 },
  pen: { click: 6, double: 12 },
  touch: { click: 10, double: 24 },
};
/** So long after the pen was last felt, a touch is taken for the hand that holds it. */
const PALM_MS = 500;
/** Wheels report lines or pages in some browsers; in pixels. */
const DELTA_UNIT = [1, 33, 400];

/** Safari's event for a pinch on a trackpad, where other browsers send a wheel event. */
type TrackpadPinch = Event & { scale: number; clientX: number; clientY: number };

/**
 * Mouse, pen and touch on the canvas: tells the tool, or moves the view. Two fingers move the view whatever the tool. The
 * hand beside a pen does not draw: while the pen is down touches mean nothing, shortly after it they only move the view.
 */
export class PointerInputs {
  private gesture: Gesture | null = null;
  private readonly touches = new Map<number, Point>();
  private last = { time: 0, at: { x: 0, y: 0 }, clicks: 0 };
  /** Time of the pen's last event. */
  private penAt = Number.NEGATIVE_INFINITY;
  private readonly listening = new AbortController();

  constructor(
    private readonly element: HTMLElement,
    private readonly view: View,
    private readonly keys: HeldKeys,
    private readonly target: PointerTarget,
  ) {
    const { signal } = this.listening;
    element.addEventListener("pointerdown", (event) => this.down(event), { signal });
    element.addEventListener("pointermove", (event) => this.move(event), { signal });
    element.addEventListener("pointerup", (event) => this.up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.lost(event), { signal });
    element.addEventListener("pointerleave", () => this.gesture || this.target.leave(), { signal });
    element.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    this.listenToTrackpad();
  }

  remove(): void {
    this.listening.abort();
  }

  private down(event: PointerEvent): void {
    const screen = this.screenOf(event);
    const by = kindOf(event);
    if (by === "pen") this.takePen(event);
    if (by === "touch") {
      if (this.isPenDown) return;
      this.touches.set(event.pointerId, screen);
      if (this.touches.size > 1) this.pinch();
    }
    if (this.gesture) return;
    const pointer = event.pointerId;
    this.element.setPointerCapture(pointer);
    if (this.meansPan(event)) this.gesture = { kind: "pan", pointer, by, from: screen, last: screen, click: null };
    else if (event.button === 0) {
      const input = this.input(event, this.countClicks(event));
      const taken = this.target.down(input);
      this.gesture = taken
        ? { kind: "tool", pointer, by }
        : { kind: "pan", pointer, by, from: screen, last: screen, click: input };
    }
    this.showGrip();
    event.preventDefault();
    this.element.focus({ preventScroll: true });
  }

  private get isPenDown(): boolean {
    return this.gesture !== null && this.gesture.kind !== "pinch" && this.gesture.by === "pen";
  }

  /** The hand may lie on the screen before the pen does: what it has begun is taken back, and it means nothing now. */
  private takePen(event: PointerEvent): void {
    this.penAt = event.timeStamp;
    if (this.touches.size === 0) return;
    if (this.gesture?.kind === "tool") this.target.abort();
    this.touches.clear();
    this.gesture = null;
  }

  private meansPan(event: PointerEvent): boolean {
    if (event.button === 1) return true;
    if (kindOf(event) === "touch" && event.timeStamp - this.penAt < PALM_MS) return true;
    if (event.button !== 0 || !this.keys.isDown(" ")) return false;
    this.keys.use(" ");
    return true;
  }

  private move(event: PointerEvent): void {
    const screen = this.screenOf(event);
    if (event.pointerType === "pen") this.penAt = event.timeStamp;
    if (this.touches.has(event.pointerId)) this.touches.set(event.pointerId, screen);
    const { gesture } = this;
    if (gesture?.kind === "pinch") {
      this.pinchMove(gesture);
      return;
    }
    if (gesture && gesture.pointer !== event.pointerId) return;
    if (gesture?.kind === "pan") this.panMove(gesture, screen);
    else if (gesture) this.target.move({ ...this.input(event, 0), trail: this.trail(event) });
    else if (event.pointerType !== "touch") this.target.move(this.input(event, 0));
  }

  /** A hand that trembles on a click does not move the view. */
  private panMove(gesture: Extract<Gesture, { kind: "pan" }>, screen: Point): void {
    const far = Math.hypot(screen.x - gesture.from.x, screen.y - gesture.from.y) >= NEAR_PX[gesture.by].click;
    if (gesture.click && !far) return;
    gesture.click = null;
    this.view.panBy(screen.x - gesture.last.x, screen.y - gesture.last.y);
    gesture.last = screen;
  }

  private up(event: PointerEvent): void {
    if (event.pointerType === "pen") this.penAt = event.timeStamp;
    this.touches.delete(event.pointerId);
    const { gesture } = this;
    if (gesture?.kind === "pinch") {
      if (this.touches.size === 0) this.gesture = null;
      else gesture.fingers = new Map(this.touches);
    } else if (gesture?.pointer === event.pointerId) {
      this.gesture = null;
      if (gesture.kind === "tool") this.target.up(this.input(event, 0));
      else if (gesture.click) this.target.click(gesture.click);
    }
    this.showGrip();
  }

  private lost(event: PointerEvent): void {
    this.touches.delete(event.pointerId);
    if (this.gesture?.kind === "tool" && this.gesture.pointer === event.pointerId) this.target.abort();
    if (this.gesture?.kind !== "pinch" || this.touches.size === 0) this.gesture = null;
    this.showGrip();
  }

  /** A second finger: what the first has begun is taken back, and both move the view. */
  private pinch(): void {
    if (this.gesture?.kind === "tool") this.target.abort();
    this.gesture = { kind: "pinch", fingers: new Map(this.touches) };
  }

  private pinchMove(gesture: Extract<Gesture, { kind: "pinch" }>): void {
    const before = spanOf(gesture.fingers);
    const after = spanOf(this.touches);
    gesture.fingers = new Map(this.touches);
    this.view.panBy(after.middle.x - before.middle.x, after.middle.y - before.middle.y);
    if (before.length > 0 && after.length > 0) this.view.zoomAbout(after.middle, after.length / before.length);
  }

  /** Zooms by the size of the turn. A pinch on a trackpad comes as a wheel with ctrlKey while no Control key is down. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = DELTA_UNIT[event.deltaMode] ?? 1;
    const dx = event.deltaX * unit;
    const dy = event.deltaY * unit;
    const screen = this.screenOf(event);
    if (event.ctrlKey && this.keys.isDown("control")) this.view.panBy(0, -dy);
    else if (event.ctrlKey) this.view.zoomByPinch(screen, dy);
    else if (event.shiftKey) this.view.panBy(-(dy || dx), 0);
    else this.view.zoomByWheel(screen, dy);
  }

  private listenToTrackpad(): void {
    const { signal } = this.listening;
    let before = 1;
    const zoom = (event: Event) => {
      event.preventDefault();
      const { scale } = event as TrackpadPinch;
      // Of fingers on the screen, pointer events tell as well.
      if (this.touches.size === 0 && event.type === "gesturechange")
        this.view.zoomAbout(this.screenOf(event as TrackpadPinch), scale / before);
      before = scale;
    };
    this.element.addEventListener("gesturestart", zoom, { signal });
    this.element.addEventListener("gesturechange", zoom, { signal });
  }

  private countClicks(event: PointerEvent): number {
    const { time, at, clicks } = this.last;
    const near = Math.hypot(event.clientX - at.x, event.clientY - at.y) <= NEAR_PX[kindOf(event)].double;
    const again = near && event.timeStamp - time <= DOUBLE_MS;
    this.last = { time: event.timeStamp, at: { x: event.clientX, y: event.clientY }, clicks: again ? clicks + 1 : 1 };
    return this.last.clicks;
  }

  private input(event: PointerEvent, clicks: number): PointerInput {
    const screen = this.screenOf(event);
    const shift = event.shiftKey || this.keys.isShiftOnScreen();
    return { screen, image: this.view.toImage(screen), shift, kind: kindOf(event), clicks };
  }

  /** Browsers tell of the pointer once a frame, and of what it did meanwhile on asking. */
  private trail(event: PointerEvent): Point[] {
    const { left, top } = this.element.getBoundingClientRect();
    const between = event.getCoalescedEvents?.() ?? [];
    const events = between.length > 0 ? between : [event];
    return events.map(({ clientX, clientY }) => this.view.toImage({ x: clientX - left, y: clientY - top }));
  }

  private screenOf(event: { clientX: number; clientY: number }): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private showGrip(): void {
    this.element.classList.toggle("annotator-panning", this.gesture?.kind === "pan");
  }
}

function kindOf({ pointerType }: PointerEvent): PointerKind {
  return pointerType === "touch" || pointerType === "pen" ? pointerType : "mouse";
}

function spanOf(fingers: ReadonlyMap<number, Point>): { middle: Point; length: number } {
  const [a = { x: 0, y: 0 }, b = a] = [...fingers.values()];
  return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, length: Math.hypot(a.x - b.x, a.y - b.y) };
}
