import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import type { Moment } from "../../../shared/api/history";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings, Rle } from "../../../shared/entities/shape";
import { ringContains } from "../../../shared/geometry/ring";
import type { Point } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { Outlines } from "../document/outlines";
import { editsBackTo } from "./putBack";

export interface PastState {
  isOpen: boolean;
  /** The moment on the canvas; null while the canvas shows the present. */
  moment: Moment | null;
  /** Outlines of the moment's masks that have been traced. */
  traced: ReadonlyMap<Rle, Rings>;
  /** The annotation whose versions are listed. */
  chosen: string | null;
}

export interface PastParts {
  document: AnnotatorDocument;
  commands: Commands;
  outlines: Outlines;
}

const NONE: ReadonlyMap<Rle, Rings> = new Map();

/** The panel with the image's history: which moment the canvas shows, and putting annotations back to it. */
export class Past {
  readonly store = createStore<PastState>(() => ({ isOpen: false, moment: null, traced: NONE, chosen: null }));
  private stepper: (by: 1 | -1) => void = () => undefined;

  constructor(private readonly parts: PastParts) {}

  get state(): PastState {
    return this.store.getState();
  }

  toggle(): void {
    if (this.state.isOpen) this.close();
    else this.store.setState({ isOpen: true });
  }

  close(): void {
    this.store.setState({ isOpen: false, moment: null, traced: NONE });
  }

  /** Shows a moment on the canvas; null shows the present. */
  show(moment: Moment | null): void {
    if (moment === this.state.moment) return;
    this.store.setState({ moment, traced: NONE });
    for (const annotation of moment?.annotations ?? []) if (isMask(annotation)) void this.trace(annotation);
  }

  choose(uuid: string | null): void {
    this.store.setState({ chosen: uuid });
  }

  /** Chooses the smallest annotation of the shown moment at a point in image pixels, if there is one. */
  pick({ x, y }: Point): void {
    const hit = (this.state.moment?.annotations ?? [])
      .filter((annotation) => contains(this.ringsOf(annotation), x, y))
      .sort((a, b) => a.area - b.area)[0];
    if (hit) this.choose(hit.uuid);
  }

  /** Returns the outline of an annotation of the moment; a mask's box until it has been traced. */
  ringsOf(annotation: Annotation): Rings {
    const { rle } = annotation;
    if (!isMask(annotation) || !rle) return this.parts.outlines.of(annotation);
    return this.state.traced.get(rle) ?? this.parts.outlines.of({ ...annotation, rle: null });
  }

  /**
   * Puts the image back to the shown moment, or only one annotation, as one undo step. Returns false if nothing
   * differs.
   */
  putBack(only?: string): boolean {
    const { document, commands } = this.parts;
    const { moment } = this.state;
    const edits = moment ? editsBackTo(document, moment, only) : [];
    commands.applyAll(edits, t`Put Back`);
    return edits.length > 0;
  }

  /** Sets the function that moves to the next newer (1) or older (-1) step. */
  setStepper(stepper: (by: 1 | -1) => void): void {
    this.stepper = stepper;
  }

  step(by: 1 | -1): void {
    this.stepper(by);
  }

  private async trace(annotation: Annotation): Promise<void> {
    const { moment } = this.state;
    // A malformed mask keeps its box.
    const rings = await this.parts.outlines.whenTraced(annotation).catch(() => null);
    if (!rings || !annotation.rle || this.state.moment !== moment) return;
    this.store.setState({ traced: new Map(this.state.traced).set(annotation.rle, rings) });
  }
}

const isMask = ({ rings, rle }: Annotation): boolean => rings === null && rle !== null;

/** True if a point lies in the shape: in a polygon, but not in its holes. */
const contains = (rings: Rings, x: number, y: number): boolean =>
  rings.some((polygon) => polygon.filter((ring) => ringContains(ring, x, y)).length % 2 === 1);
