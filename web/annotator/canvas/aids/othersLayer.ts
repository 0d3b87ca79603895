import type { StoreApi } from "zustand/vanilla";
import { textColorOn } from "../../../../shared/color/contrast";
import { colorOfName } from "../../../../shared/color/palettes";
import type { OthersPointing } from "../../../../shared/events";
import type { Shapes } from "../shapes/shapes";
import { sameView, type ViewState } from "../view/view";

/** Distance between a shape's box and the frame around it, in CSS pixels. */
const FRAME_GAP = 3;

const SVG = "http://www.w3.org/2000/svg";
/** An arrow whose tip is at 0, 0, in CSS pixels. */
const ARROW = "M0 0 L0 15 L4.2 11.2 L6.9 17.2 L9.6 16 L6.9 10.2 L12.4 10.2 Z";

/**
 * The pointers of other users, and frames around what they have selected, in their colours. Elements that CSS moves, so
 * that no canvas is repainted.
 */
export class OthersLayer {
  private readonly element = document.createElement("div");
  private readonly pointers = new Map<string, HTMLElement>();
  private readonly frames = new Map<string, HTMLElement>();
  private view: ViewState | null = null;

  constructor(
    parent: HTMLElement,
    private readonly shapes: Pick<Shapes, "get">,
    private readonly others: Pick<StoreApi<ReadonlyMap<string, OthersPointing>>, "getState">,
  ) {
    this.element.className = "annotator-others";
    // The list of users on the image names them; their pointers are of no use without sight.
    this.element.ariaHidden = "true";
    parent.append(this.element);
  }

  show(isOn: boolean): void {
    this.element.hidden = !isOn;
  }

  place(view: ViewState): void {
    const all = [...this.others.getState().values()];
    if (all.length === 0 && this.pointers.size === 0 && this.frames.size === 0) return;
    // Pointers glide from message to message, but stay on the image while it moves.
    this.element.classList.toggle("annotator-others-gliding", sameView(view, this.view));
    this.view = view;
    this.placePointers(all, view);
    this.placeFrames(all, view);
  }

  private placePointers(all: readonly OthersPointing[], { zoom, x, y }: ViewState): void {
    const seen = new Set<string>();
    for (const { from, username, place } of all) {
      if (!place) continue;
      seen.add(from);
      const pointer = this.pointers.get(from) ?? this.add(this.pointers, from, makePointer(username));
      pointer.style.transform = `translate(${(place[0] + 0.5) * zoom + x}px, ${(place[1] + 0.5) * zoom + y}px)`;
    }
    removeOthers(this.pointers, seen);
  }

  private placeFrames(all: readonly OthersPointing[], { zoom, x, y }: ViewState): void {
    const seen = new Set<string>();
    for (const { from, username, selected } of all)
      for (const uuid of selected) {
        const box = this.shapes.get(uuid);
        if (!box) continue;
        const key = `${from} ${uuid}`;
        seen.add(key);
        const frame = this.frames.get(key) ?? this.add(this.frames, key, makeFrame(username));
        frame.style.transform = `translate(${box.minX * zoom + x - FRAME_GAP}px, ${box.minY * zoom + y - FRAME_GAP}px)`;
        frame.style.width = `${(box.maxX - box.minX) * zoom + 2 * FRAME_GAP}px`;
        frame.style.height = `${(box.maxY - box.minY) * zoom + 2 * FRAME_GAP}px`;
      }
    removeOthers(this.frames, seen);
  }

  private add(elements: Map<string, HTMLElement>, key: string, element: HTMLElement): HTMLElement {
    elements.set(key, element);
    this.element.append(element);
    return element;
  }
}

function removeOthers(elements: Map<string, HTMLElement>, seen: ReadonlySet<string>): void {
  for (const [key, element] of elements)
    if (!seen.has(key)) {
      element.remove();
      elements.delete(key);
    }
}

function makePointer(username: string): HTMLElement {
  const pointer = inColorOf(username, "annotator-other-pointer");
  const arrow = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ARROW);
  arrow.append(path);
  const name = document.createElement("span");
  name.textContent = username;
  pointer.append(arrow, name);
  return pointer;
}

const makeFrame = (username: string): HTMLElement => inColorOf(username, "annotator-other-frame");

function inColorOf(username: string, className: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  const color = colorOfName(username);
  element.style.setProperty("--other-color", color);
  element.style.setProperty("--other-text", textColorOn(color));
  return element;
}
