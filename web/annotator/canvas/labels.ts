import type { Point, Size, ViewState } from "./view";

/** Texts over the picture: file name at its top left, size at its top right, and a tool's text beside the pointer. */
export class Labels {
  private readonly name: HTMLElement;
  private readonly size: HTMLElement;
  private readonly note: HTMLElement;
  private noteAt: Point | null = null;

  constructor(
    parent: HTMLElement,
    fileName: string,
    private readonly picture: Size,
  ) {
    this.name = text(parent, "annotator-file-name", fileName);
    this.size = text(parent, "annotator-file-size", `${picture.width}x${picture.height}`);
    this.note = text(parent, "annotator-note", "");
    this.note.hidden = true;
  }

  /** `at` in image pixels; null takes the text away. Lines are parted by line breaks. */
  showNote(content: string | null, at: Point | null): void {
    this.noteAt = at;
    this.note.hidden = !content || !at;
    if (content) this.note.textContent = content;
  }

  place({ zoom, x, y }: ViewState): void {
    const right = x + this.picture.width * zoom;
    this.name.style.transform = `translate(${x}px, ${y}px) translateY(-100%)`;
    this.name.style.maxWidth = `${Math.max(right - x - 90, 60)}px`;
    this.size.style.transform = `translate(${right}px, ${y}px) translate(-100%, -100%)`;
    if (!this.noteAt) return;
    this.note.style.transform = `translate(${this.noteAt.x * zoom + x + 14}px, ${this.noteAt.y * zoom + y + 14}px)`;
  }
}

function text(parent: HTMLElement, className: string, content: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.textContent = content;
  parent.append(element);
  return element;
}
