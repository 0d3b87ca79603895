import { preventFling } from "../../../components/preventFling";
import type { Point, View } from "./view";
import { WheelPixels } from "./wheelPixels";

export type PointerKind = "mouse" | "pen" | "touch";

/** Position of the pointer and the keys and buttons held down. */
export interface PointerInput {
  /** In image pixels. */
  image: Point;
  /** CSS pixels from the canvas's top left. */
  screen: Point;
  /**
   * True if Shift or Alt is pressed, on the keyboard or with its button on the screen; a pen's eraser end counts as
   * Alt.
   */
  shift: boolean;
  alt: boolean;
  /** True if Control or Command is pressed. */
  control?: boolean;
  kind: PointerKind;
  /** Pressure of a pen, 0 to 1. */
  pressure?: number;
  /** Positions since the last event, in image pixels, the current one last. Only while a tool drags. */
  trail?: readonly TrailPoint[];
  /** Number of presses in quick succession at this position: 2 is a double click. */
  clicks: number;
}

/** A position in image pixels, and how hard a pen was pressed there. */
export interface TrailPoint extends Point {
  pressure?: number;
}

/** Receiver of pointer events: the active tool. */
export interface PointerTarget {
  /** Returns false if the tool does not use the press, which then pans the view. */
  down(input: PointerInput): boolean;
  /** Called when a press that the tool did not use is released without moving. */
  click(input: PointerInput): void;
  /** Called on a right click, or another gesture that opens a context menu. */
  menu?(input: PointerInput): void;
  move(input: PointerInput): void;
  up(input: PointerInput): void;
  /** Called when the pointer leaves the canvas. */
  leave(): void;
  /** Cancels the press as if it had not happened (second finger, lost pointer). */
  abort(): void;
}

/** Keys that are down while the pointer acts. */
export interface HeldKeys {
  isDown(key: string): boolean;
  /** Marks the key as used together with the pointer, so that releasing it triggers no command. */
  use(key: string): void;
  /** Returns which keys are held by buttons on the screen, for devices without a keyboard. */
  onScreen(): { shift: boolean; alt: boolean };
}

type Gesture =
  | { kind: "tool"; pointer: number; by: PointerKind }
  | { kind: "pan"; pointer: number; by: PointerKind; from: Point; last: Point; click: PointerInput | null }
  | { kind: "pinch"; fingers: Map<number, Point> };

const DOUBLE_MS = 350;
/** Movement below which a press is a click, and distance below which two presses make a double click, in CSS pixels. */
const NEAR_PX: Record<PointerKind, { click: number; double: number }> = {
  mouse: { click: 4, double: 6 },
  pen: { click: 6, double: 12 },
  touch: { click: 10, double: 24 },
};
/** Time after the pen's last event during which a touch is assumed to be the palm of the hand that holds it. */
const PALM_MS = 500;

/** Safari's event for a pinch on a trackpad, where other browsers send a wheel event. */
type TrackpadPinch = Event & { scale: number; clientX: number; clientY: number };

/**
 * Passes mouse, pen and touch input on the canvas to the tool, or moves the view. Two fingers always move the view. The
 * palm beside a pen does not draw: touches are ignored while the pen is down, and only pan for a short time afterwards.
 */
export class PointerInputs {
  private gesture: Gesture | null = null;
  private readonly touches = new Map<number, Point>();
  private readonly wheelPixels = new WheelPixels();
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
    element.addEventListener("pointerout", (event) => this.out(event), { signal });
    element.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    element.addEventListener("contextmenu", (event) => this.menu(event), { signal });
    preventFling(element, signal);
    this.listenToTrackpad();
  }

  remove(): void {
    this.listening.abort();
  }

  private down(event: PointerEvent): void {
    const screen = this.screenOf(event);
    const by = kindOf(event);
    if (by === "pen") this.penDown(event);
    if (by === "touch") {
      if (this.isPenDown) return;
      this.touches.set(event.pointerId, screen);
      if (this.touches.size > 1) this.startPinch();
    }
    if (this.gesture) return;
    if (event.altKey) this.keys.use("alt");
    const pointer = event.pointerId;
    this.element.setPointerCapture(pointer);
    if (this.meansPan(event)) this.gesture = { kind: "pan", pointer, by, from: screen, last: screen, click: null };
    else if (event.button === 0 || isEraser(event)) {
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

  /**
   * Reports to the tool that the pointer has left the canvas. Not at `pointerleave`: React calls `onPointerEnter`
   * before that event, so that the tool would remove the highlight of the row that the pointer has just entered.
   */
  private out({ relatedTarget }: PointerEvent): void {
    const isInside = relatedTarget instanceof Node && this.element.contains(relatedTarget);
    if (!isInside && !this.gesture) this.target.leave();
  }

  /** Passes a right click to the tool. The long press of a finger is ignored, because it is part of a gesture. */
  private menu(event: MouseEvent): void {
    event.preventDefault();
    if (!this.gesture) this.target.menu?.(this.input(event, 0));
  }

  private get isPenDown(): boolean {
    return this.gesture !== null && this.gesture.kind !== "pinch" && this.gesture.by === "pen";
  }

  /** Cancels the gesture of touches and forgets them, because the palm may touch the screen before the pen does. */
  private penDown(event: PointerEvent): void {
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

  /** Pans the view, unless the press has moved so little that it is still a click. */
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

  /** Cancels the first finger's gesture, because two fingers move the view. */
  private startPinch(): void {
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

  /** Zooms or pans. A trackpad pinch arrives as a wheel event with ctrlKey set while no Control key is down. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { dx, dy } = this.wheelPixels.of(event);
    const screen = this.screenOf(event);
    if ((event.ctrlKey || event.metaKey) && this.keys.isDown("control")) this.view.panBy(0, -dy);
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
      // Fingers on the screen are handled by pointer events.
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

  private input(event: MouseEvent, clicks: number): PointerInput {
    const screen = this.screenOf(event);
    const held = this.keys.onScreen();
    const shift = event.shiftKey || held.shift;
    const alt = event.altKey || held.alt || isEraser(event);
    const control = event.ctrlKey || event.metaKey;
    const image = this.view.toImage(screen);
    return { screen, image, shift, alt, control, kind: kindOf(event), clicks, ...pressureOf(event) };
  }

  /** Returns the positions since the last event. Browsers send one event per frame, with the others coalesced. */
  private trail(event: PointerEvent): TrailPoint[] {
    const { left, top } = this.element.getBoundingClientRect();
    const between = event.getCoalescedEvents?.() ?? [];
    const events = between.length > 0 ? between : [event];
    return events.map((each) => ({
      ...this.view.toImage({ x: each.clientX - left, y: each.clientY - top }),
      ...pressureOf(each),
    }));
  }

  private screenOf(event: { clientX: number; clientY: number }): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private showGrip(): void {
    this.element.classList.toggle("annotator-panning", this.gesture?.kind === "pan");
  }
}

function kindOf(event: MouseEvent): PointerKind {
  const pointerType = "pointerType" in event ? event.pointerType : "mouse";
  return pointerType === "touch" || pointerType === "pen" ? pointerType : "mouse";
}

/** Number of the eraser's button in pointer events, and its bit in `buttons`. */
const ERASER = { button: 5, bit: 32 } as const;

/** Returns true if a pen is used with its eraser end. */
const isEraser = (event: MouseEvent): boolean =>
  kindOf(event) === "pen" && (event.button === ERASER.button || (event.buttons & ERASER.bit) !== 0);

const pressureOf = (event: MouseEvent): { pressure?: number } =>
  kindOf(event) === "pen" && "pressure" in event ? { pressure: Number(event.pressure) } : {};

function spanOf(fingers: ReadonlyMap<number, Point>): { middle: Point; length: number } {
  const [a = { x: 0, y: 0 }, b = a] = [...fingers.values()];
  return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, length: Math.hypot(a.x - b.x, a.y - b.y) };
}
