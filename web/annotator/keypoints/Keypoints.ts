import { createStore } from "zustand/vanilla";
import { KEYPOINT } from "../../../shared/constants";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import { nearestDot } from "../canvas/shapes/shapes";
import type { Point } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import type { PlacedKeypoint } from "../tools/common/keypointPorts";
import { Edges } from "./Edges";
import { skeletonOf } from "./model/drawn";
import {
  type Anchor,
  isPlaced,
  type Label,
  labelsOf,
  nextLabel,
  pointOf,
  withoutPoint,
  withPoint,
} from "./model/points";
import type { Frame } from "./model/template";
import { placesFor } from "./placesFor";

export interface KeypointParts {
  document: AnnotatorDocument;
  selection: Selection;
  layers: Layers;
  commands: Commands;
  history: History;
  ui: Ui;
  notify: Notify;
  /** Returns the visible part of the image, in image pixels. */
  seen: () => Frame;
  /** The box of an annotation's shape; null where it has none. */
  frameOf: (annotation: Annotation) => Frame | null;
  /** The last label has been placed. */
  onComplete: () => void;
}

/** State of the annotation in hand for panels. */
export interface KeypointState {
  hovered: number | null;
  /** The label that the next click places; null where there is none, or all are placed. */
  next: Label | null;
  placed: number;
  total: number;
}

/** An annotation with the category that says its labels. */
interface Hand {
  annotation: Annotation;
  category: SceneCategory;
}

/** The keypoints of the annotation in hand: which label comes next, and all that the person does to them. */
export class Keypoints {
  readonly store = createStore<KeypointState>(() => ({ hovered: null, next: null, placed: 0, total: 0 }));
  private anchor: Anchor | null = null;
  /** The annotation in hand as it was when it was looked at last. */
  private known: Annotation | null = null;
  private readonly edges: Edges;

  constructor(private readonly parts: KeypointParts) {
    const { document, selection } = parts;
    this.edges = new Edges(parts);
    document.listen(({ origin }) => this.look(origin !== "remote"));
    selection.store.subscribe(() => this.look(false));
  }

  get hand(): Hand | null {
    const { document, selection } = this.parts;
    const annotation = document.annotation(selection.state.annotation);
    const category = annotation && document.category(annotation.category_id);
    return annotation && category ? { annotation, category } : null;
  }

  /** The point that the annotation in hand stores for a label. */
  stored(label: number): Keypoint | null {
    return this.hand && pointOf(this.hand.annotation, label);
  }

  label(id: number): Label | null {
    return this.labels().find((label) => label.id === id) ?? null;
  }

  /** The keypoint that is drawn nearest to a point, within `radius`; image pixels. */
  at(point: Point, radius: number): PlacedKeypoint | null {
    const { hand } = this;
    if (!hand || !this.parts.layers.isVisible(hand.annotation)) return null;
    const dot = nearestDot(skeletonOf(hand.annotation.keypoints, hand.category).dots, point, radius);
    return dot && { label: dot.label, x: dot.x, y: dot.y };
  }

  hover(hovered: number | null): void {
    if (this.store.getState().hovered !== hovered) this.store.setState({ hovered });
  }

  /** Goes on at a label, whatever is placed before it. */
  startAt(label: number): void {
    this.anchor = { label, behind: false };
    this.look(false);
  }

  /** Leaves the next label out, for now. */
  skip(): void {
    const { next } = this.store.getState();
    if (!next) return;
    this.anchor = { label: next.id, behind: true };
    this.look(false);
    const after = this.store.getState().next;
    this.parts.ui.showMessage(after && after.id !== next.id ? `Next: ${after.name}` : `Only ${next.name} is not placed`);
  }

  /** Returns true if there is something to place; otherwise the user is told why not. */
  mayPlace(): boolean {
    const { next, total } = this.store.getState();
    if (next) return true;
    const { selection, notify, ui } = this.parts;
    if (total > 0) {
      selection.selectKeypoint(null);
      ui.showMessage("All keypoints are placed");
    } else if (this.hand)
      notify(
        "info",
        "No keypoints to place",
        `${this.hand.category.name} has no keypoints. Open its settings in the list of categories and add some.`,
      );
    return false;
  }

  /** Places the next label at a point of the image. */
  place(at: Point, v: number): void {
    const { next } = this.store.getState();
    const { hand } = this;
    if (!hand || !next) return;
    const { selection, layers, ui } = this.parts;
    layers.reveal(hand.annotation);
    selection.selectKeypoint(null);
    this.put(hand, withPoint(hand.annotation.keypoints, { label: next.id, ...at, v }), `Place ${next.name}`);
    this.anchor = { label: next.id, behind: true };
    this.look(false);
    const after = this.store.getState().next;
    const isRoundDone = v === 0 && this.labels().every(({ id }) => this.stored(id) !== null);
    if (!after || isRoundDone) this.complete();
    else ui.announce(`${next.name} placed. Next: ${after.name}`);
  }

  /** Places all labels that are not placed, to be moved where they belong. */
  placeAll(v: number): void {
    const { hand } = this;
    if (!this.mayPlace() || !hand) return;
    const { annotation, category } = hand;
    const { document, layers, seen, frameOf } = this.parts;
    const places = placesFor(annotation, category, { document, seen: seen(), frameOf });
    const points = [...places].reduce<Keypoint[]>(
      (all, [label, { x, y }]) => withPoint(all, { label, x, y, v: v || KEYPOINT.visibility }),
      annotation.keypoints ?? [],
    );
    layers.reveal(annotation);
    this.put(hand, points, "Place Keypoints");
    this.complete();
  }

  move(label: number, { x, y }: Point): void {
    this.change(label, { x, y }, "Move");
  }

  setVisibility(label: number, v: number): void {
    this.change(label, { v }, "Change Visibility of");
  }

  /** To the next visibility of the selected keypoint: labelled ones go round without becoming unlabelled. */
  turnVisibility(): void {
    const { keypoint } = this.parts.selection.state;
    const point = keypoint !== null && this.hand && pointOf(this.hand.annotation, keypoint);
    if (!point) return;
    this.setVisibility(point.label, (point.v % 3) + 1);
    this.parts.ui.showMessage(`Visibility ${(point.v % 3) + 1}`);
  }

  delete(label: number): void {
    const { hand } = this;
    if (!hand || !pointOf(hand.annotation, label)) return;
    const { selection, ui } = this.parts;
    const name = this.label(label)?.name ?? "";
    if (selection.state.keypoint === label) selection.selectKeypoint(null);
    this.hover(null);
    this.put(hand, withoutPoint(hand.annotation.keypoints, label), `Delete ${name}`);
    ui.announce(`${name} deleted`);
  }

  /** Returns true if a keypoint was selected: then nothing else is deleted, even if it is not placed. */
  deleteSelected(): boolean {
    const { selection, ui } = this.parts;
    const { keypoint } = selection.state;
    if (keypoint === null) return false;
    if (this.hand && pointOf(this.hand.annotation, keypoint)) this.delete(keypoint);
    else ui.showMessage(`${this.label(keypoint)?.name} is not placed`);
    return true;
  }

  /** Selects, or lets go; with another keypoint selected, toggles the edge between the two. */
  click(label: number): void {
    const { selection, ui } = this.parts;
    const before = selection.state.keypoint;
    const { hand } = this;
    this.edges.keep();
    if (before === label) selection.selectKeypoint(null);
    else if (before !== null && hand && isPlaced(hand.annotation, before))
      this.edges.toggle(hand.category, before, label);
    else {
      selection.selectKeypoint(label);
      ui.announce(`${this.label(label)?.name} selected`);
    }
  }

  doubleClick(label: number): void {
    const { selection, ui } = this.parts;
    const uuid = selection.state.annotation;
    if (uuid === null) return;
    this.edges.takeBack();
    selection.selectKeypoint(label);
    ui.open({ kind: "keypoint", uuid, label });
  }

  private change(label: number, change: Partial<Keypoint>, action: string): void {
    const { hand } = this;
    const point = hand && pointOf(hand.annotation, label);
    if (!hand || !point) return;
    this.put(
      hand,
      withPoint(hand.annotation.keypoints, { ...point, ...change }),
      `${action} ${this.label(label)?.name}`,
    );
  }

  private put({ annotation }: Hand, keypoints: Keypoint[], action: string): void {
    this.parts.commands.setKeypoints(annotation.uuid, keypoints, action);
  }

  private complete(): void {
    this.parts.ui.showMessage("All keypoints placed");
    this.parts.onComplete();
  }

  private labels(): Label[] {
    return this.hand ? labelsOf(this.hand.category) : [];
  }

  /**
   * Brings what panels show up to date. `follows`: a label that has been taken away or put back is where one goes on.
   */
  private look(follows: boolean): void {
    const { hand } = this;
    const before = this.known;
    const annotation = hand?.annotation ?? null;
    this.known = annotation;
    const labels = this.labels();
    const ids = labels.map(({ id }) => id);
    if (before?.uuid !== annotation?.uuid) this.anchor = null;
    else if (follows && before && annotation && before.keypoints !== annotation.keypoints)
      this.anchor = anchorAfter(ids, before, annotation) ?? this.anchor;
    this.dropVanished(ids);
    const { keypoint } = this.parts.selection.state;
    if (annotation && keypoint !== null && !isPlaced(annotation, keypoint))
      this.anchor = { label: keypoint, behind: false };
    const next = annotation && nextLabel(ids, annotation, this.anchor);
    const placed = annotation ? ids.filter((id) => isPlaced(annotation, id)).length : 0;
    this.publish({ next: labels.find(({ id }) => id === next) ?? null, placed, total: ids.length });
  }

  private dropVanished(ids: readonly number[]): void {
    const { selection } = this.parts;
    const { keypoint } = selection.state;
    if (keypoint !== null && !ids.includes(keypoint)) selection.selectKeypoint(null);
    const { hovered } = this.store.getState();
    if (hovered !== null && !ids.includes(hovered)) this.hover(null);
  }

  private publish(state: Omit<KeypointState, "hovered">): void {
    const { next, placed, total } = this.store.getState();
    const isSame = next?.id === state.next?.id && next?.name === state.next?.name && next?.color === state.next?.color;
    if (!isSame || placed !== state.placed || total !== state.total) this.store.setState(state);
  }
}

/**
 * Returns the place to go on after a change: the first label that is no longer placed, otherwise behind the last new
 * one.
 */
function anchorAfter(ids: readonly number[], before: Annotation, now: Annotation): Anchor | null {
  const gone = ids.find((id) => isPlaced(before, id) && !isPlaced(now, id));
  if (gone !== undefined) return { label: gone, behind: false };
  const come = ids.findLast((id) => !isPlaced(before, id) && isPlaced(now, id));
  return come === undefined ? null : { label: come, behind: true };
}
