/** Lines through the pointer across the whole canvas, moved by CSS, so that no canvas is repainted. */
export class Crosshair {
  private readonly lines: readonly [HTMLElement, HTMLElement];
  private isOn = false;
  /** The pointer's position in CSS pixels of the window; null while it is not over the canvas. */
  private pointer: { x: number; y: number } | null = null;

  constructor(
    private readonly parent: HTMLElement,
    signal: AbortSignal,
  ) {
    this.lines = [addLine(parent, "annotator-crosshair-x"), addLine(parent, "annotator-crosshair-y")];
    const follow = ({ clientX, clientY }: PointerEvent) => this.follow({ x: clientX, y: clientY });
    const lose = () => this.follow(null);
    for (const type of ["pointerenter", "pointermove", "pointerdown"] as const)
      parent.addEventListener(type, follow, { signal });
    parent.addEventListener("pointerleave", lose, { signal });
    parent.addEventListener("pointercancel", lose, { signal });
    this.draw();
  }

  show(isOn: boolean): void {
    this.isOn = isOn;
    this.draw();
  }

  private follow(pointer: { x: number; y: number } | null): void {
    this.pointer = pointer;
    if (this.isOn) this.draw();
  }

  private draw(): void {
    const { pointer, isOn } = this;
    const [across, down] = this.lines;
    across.hidden = down.hidden = !isOn || !pointer;
    if (!isOn || !pointer) return;
    const { left, top } = this.parent.getBoundingClientRect();
    across.style.transform = `translateY(${Math.round(pointer.y - top)}px)`;
    down.style.transform = `translateX(${Math.round(pointer.x - left)}px)`;
  }
}

function addLine(parent: HTMLElement, className: string): HTMLElement {
  const line = document.createElement("div");
  line.className = `annotator-crosshair ${className}`;
  parent.append(line);
  return line;
}
