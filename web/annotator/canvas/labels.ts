import type { Point, Size, ViewState } from "./view/view";

/** Width of the image on the screen, in CSS pixels, below which name and size do not fit side by side. */
const SIDE_BY_SIDE_PX = 180;
/** Distance between the pointer and the note, in CSS pixels. */
const NOTE_GAP_PX = 14;

/** Texts on the canvas: file name at the image's top left, size at its top right, and a note beside the pointer. */
export class Labels {
  private readonly name: HTMLElement;
  private readonly size: HTMLElement;
  private readonly note: HTMLElement;
  private noteAt: Point | null = null;

  constructor(
    private readonly parent: HTMLElement,
    fileName: string,
    private readonly image: Size,
  ) {
    this.name = text(parent, "annotator-file-name", fileName);
    this.size = text(parent, "annotator-file-size", `${image.width}x${image.height}`);
    this.note = text(parent, "annotator-note", "");
    this.note.hidden = true;
  }

  /** Shows a text beside a point in image pixels; null hides it. Line breaks separate lines. */
  showNote(content: string | null, at: Point | null): void {
    this.noteAt = at;
    this.note.hidden = !content || !at;
    if (content) this.note.textContent = content;
  }

  place({ zoom, x, y }: ViewState): void {
    const right = x + this.image.width * zoom;
    this.name.style.transform = `translate(${x}px, ${y}px) translateY(-100%)`;
    const isNarrow = right - x < SIDE_BY_SIDE_PX;
    this.name.style.maxWidth = `${isNarrow ? SIDE_BY_SIDE_PX : right - x - 90}px`;
    this.size.style.transform = isNarrow
      ? `translate(${x}px, ${y}px) translateY(-200%)`
      : `translate(${right}px, ${y}px) translate(-100%, -100%)`;
    if (this.noteAt) this.placeNote(this.noteAt.x * zoom + x, this.noteAt.y * zoom + y);
  }

  /**
   * Places the note to the lower right of the pointer, or on the other side near the canvas edge. `x` and `y`: position
   * of the pointer, in CSS pixels.
   */
  private placeNote(x: number, y: number): void {
    const left = beside(x, this.note.offsetWidth, this.parent.clientWidth);
    const top = beside(y, this.note.offsetHeight, this.parent.clientHeight);
    this.note.style.transform = `translate(${left}px, ${top}px)`;
  }
}

/** Returns the start coordinate of a text of the given length beside `at`, so that it does not extend beyond `end`. */
export function beside(at: number, length: number, end: number): number {
  if (at + NOTE_GAP_PX + length <= end) return at + NOTE_GAP_PX;
  return Math.max(Math.min(at - NOTE_GAP_PX, end) - length, 0);
}

function text(parent: HTMLElement, className: string, content: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.textContent = content;
  parent.append(element);
  return element;
}
