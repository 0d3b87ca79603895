import { brightnessOf } from "../../../shared/color/contrast";
import { channelsOf } from "../../../shared/color/hex";
import type { ViewState } from "./view/view";

/** A circle around the pointer that shows a tool's radius. */
export interface Circle {
  /** In image pixels. */
  radius: number;
  /** `#rrggbb`. */
  color: string;
}

/** Circles with a smaller diameter than this, in CSS pixels, are hard to see, so a cross marks them. */
const TINY_PX = 8;

/**
 * The outline of a brush around the pointer, at the size at which the brush paints. It is a separate element moved by
 * CSS, so no canvas is repainted. It follows the pointer by itself, even while the view moves.
 */
export class PointerCircle {
  private readonly element = document.createElement("div");
  private circle: Circle | null = null;
  /** The pointer's position in CSS pixels of the window; null while it is not over the canvas. */
  private pointer: { x: number; y: number } | null = null;
  private zoom = 1;

  constructor(
    private readonly parent: HTMLElement,
    signal: AbortSignal,
  ) {
    this.element.className = "annotator-circle";
    parent.append(this.element);
    const follow = (event: PointerEvent) => this.follow({ x: event.clientX, y: event.clientY });
    const lose = () => this.follow(null);
    for (const type of ["pointerenter", "pointermove", "pointerdown"] as const)
      parent.addEventListener(type, follow, { signal });
    parent.addEventListener("pointerleave", lose, { signal });
    parent.addEventListener("pointercancel", lose, { signal });
  }

  show(circle: Circle | null): void {
    this.circle = circle;
    this.draw();
  }

  place({ zoom }: ViewState): void {
    if (zoom === this.zoom) return;
    this.zoom = zoom;
    this.draw();
  }

  private follow(pointer: { x: number; y: number } | null): void {
    this.pointer = pointer;
    this.draw();
  }

  private draw(): void {
    const { circle, pointer, element } = this;
    element.hidden = !circle || !pointer;
    if (!circle || !pointer) return;
    const { left, top } = this.parent.getBoundingClientRect();
    const side = Math.max(2 * circle.radius * this.zoom, 2);
    element.style.width = `${side}px`;
    element.style.height = `${side}px`;
    element.style.transform = `translate(${pointer.x - left - side / 2}px, ${pointer.y - top - side / 2}px)`;
    element.style.setProperty("--circle-color", circle.color);
    element.style.setProperty("--circle-casing", isDark(circle.color) ? "#ffffffb3" : "#080c18b3");
    element.classList.toggle("annotator-circle-tiny", side < TINY_PX);
  }
}

/** Returns true for a dark colour. To be visible on any image, a dark line needs a light casing and vice versa. */
const isDark = (color: string): boolean => brightnessOf(channelsOf(color)) < 110;
