import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { KEYPOINT } from "../../../shared/constants";
import { same } from "../../../shared/edits/same";
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
  /** Returns the box of an annotation's shape; null if it has none. */
  frameOf: (annotation: Annotation) => Frame | null;
  /** Called when the last label has been placed. */
  onComplete: () => void;
  /** Called when the next point belongs to a new annotation of this category. */
  onNext: (categoryId: number) => void;
}

/** Keypoint state of the selected annotation, for panels. */
export interface KeypointState {
  hovered: number | null;
  /** Label that the next click places; null if there are no labels or all are placed. */
  next: Label | null;
  placed: number;
  total: number;
}

/** The selected annotation with its category. */
interface Selected {
  annotation: Annotation;
  category: SceneCategory;
}

/** The keypoints of the selected annotation: the next label to place, and the user's actions on keypoints. */
export class Keypoints {
  readonly store = createStore<KeypointState>(() => ({ hovered: null, next: null, placed: 0, total: 0 }));
  private anchor: Anchor | null = null;
  /** Labels in the order in which they were placed in the selected annotation. */
  private order: number[] = [];
  /** The selected annotation at the last update. */
  private last: Annotation | null = null;
  private readonly edges: Edges;

  constructor(private readonly parts: KeypointParts) {
    const { document, selection } = parts;
    this.edges = new Edges(parts);
    document.listen(({ origin }) => this.update(origin !== "remote"));
    selection.store.subscribe(() => this.update(false));
  }

  get selected(): Selected | null {
    const { document, selection } = this.parts;
    const annotation = document.annotation(selection.state.annotation);
    const category = annotation && document.category(annotation.category_id);
    return annotation && category ? { annotation, category } : null;
  }

  /** Returns the point that the selected annotation stores for a label. */
  stored(label: number): Keypoint | null {
    return this.selected && pointOf(this.selected.annotation, label);
  }

  label(id: number): Label | null {
    return this.labels().find((label) => label.id === id) ?? null;
  }

  /** Returns the painted keypoint nearest to a point, within `radius`. Image pixels. */
  at(point: Point, radius: number): PlacedKeypoint | null {
    const { selected } = this;
    if (!selected || !this.parts.layers.isVisible(selected.annotation)) return null;
    const dot = nearestDot(skeletonOf(selected.annotation.keypoints, selected.category).dots, point, radius);
    return dot && { label: dot.label, x: dot.x, y: dot.y };
  }

  hover(hovered: number | null): void {
    if (this.store.getState().hovered !== hovered) this.store.setState({ hovered });
  }

  /** Continues placing at a label, even if earlier ones are not placed. */
  startAt(label: number): void {
    this.anchor = { label, behind: false };
    this.update(false);
  }

  /** Skips the next label for now. */
  skip(): void {
    const { next } = this.store.getState();
    if (!next) return;
    this.anchor = { label: next.id, behind: true };
    this.update(false);
    const after = this.store.getState().next;
    const isLast = !after || after.id === next.id;
    this.parts.ui.showMessage(isLast ? t`Only ${{ name: next.name }} is not placed` : t`Next: ${{ name: after.name }}`);
  }

  /**
   * Returns true if a press may place a label. If the category has a single label, which is already placed, begins a
   * new annotation first: annotations of such a category are points.
   */
  mayBegin(): boolean {
    const { selected } = this;
    const { next, total } = this.store.getState();
    if (!next && total === 1 && selected) this.parts.onNext(selected.category.id);
    return this.mayPlace();
  }

  /** Returns true if there is a label to place; otherwise notifies the user of the reason. */
  mayPlace(): boolean {
    const { next, total } = this.store.getState();
    if (next) return true;
    const { selection, notify, ui } = this.parts;
    if (total > 0) {
      selection.selectKeypoint(null);
      ui.showMessage(t`All keypoints are placed`);
    } else if (this.selected)
      notify(
        "info",
        t`No keypoints to place`,
        t`${{ name: this.selected.category.name }} has no keypoints. Open its settings in the list of categories and add some.`,
      );
    return false;
  }

  /** Places the next label at a point of the image. */
  place(at: Point, v: number): void {
    const { next } = this.store.getState();
    const { selected } = this;
    if (!selected || !next) return;
    const { selection, layers, ui } = this.parts;
    layers.reveal(selected.annotation);
    selection.selectKeypoint(null);
    const points = withPoint(selected.annotation.keypoints, { label: next.id, ...at, v });
    if (!this.put(selected, points, t`Place ${{ name: next.name }}`)) return;
    this.anchor = { label: next.id, behind: true };
    this.order = [...this.order.filter((label) => label !== next.id), next.id];
    this.update(false);
    const after = this.store.getState().next;
    const isRoundDone = v === 0 && this.labels().every(({ id }) => this.stored(id) !== null);
    if (!after || isRoundDone) this.complete();
    else ui.announce(t`${{ name: next.name }} placed. Next: ${{ next: after.name }}`);
  }

  /** Places all remaining labels at initial positions, for the user to move into place. */
  placeAll(v: number): void {
    const { selected } = this;
    if (!this.mayPlace() || !selected) return;
    const { annotation, category } = selected;
    const { document, layers, seen, frameOf } = this.parts;
    const places = placesFor(annotation, category, { document, seen: seen(), frameOf });
    const points = [...places].reduce<Keypoint[]>(
      (all, [label, { x, y }]) => withPoint(all, { label, x, y, v: v || KEYPOINT.visibility }),
      annotation.keypoints ?? [],
    );
    layers.reveal(annotation);
    if (this.put(selected, points, t`Place Keypoints`)) this.complete();
  }

  move(label: number, { x, y }: Point): void {
    this.change(label, { x, y }, (name) => t`Move ${name}`);
  }

  /** Returns false if the label has no point or the change is refused. */
  setVisibility(label: number, v: number): boolean {
    return this.change(label, { v }, (name) => t`Change Visibility of ${name}`);
  }

  /** Changes the selected keypoint to the next visibility, from 1 to 3 in turn; it never becomes unlabelled. */
  cycleVisibility(): void {
    const { keypoint } = this.parts.selection.state;
    const point = keypoint !== null && this.selected && pointOf(this.selected.annotation, keypoint);
    if (!point) return;
    const visibility = (point.v % 3) + 1;
    if (this.setVisibility(point.label, visibility)) this.parts.ui.showMessage(t`Visibility ${{ visibility }}`);
  }

  delete(label: number): void {
    const { selected } = this;
    if (!selected || !pointOf(selected.annotation, label)) return;
    const { selection, ui } = this.parts;
    const name = this.label(label)?.name ?? "";
    if (!this.put(selected, withoutPoint(selected.annotation.keypoints, label), t`Delete ${name}`)) return;
    if (selection.state.keypoint === label) selection.selectKeypoint(null);
    if (this.store.getState().hovered === label) this.hover(null);
    ui.announce(t`${name} deleted`);
  }

  /**
   * Deletes the keypoint that was placed last or, if that is not known, the placed keypoint of the last label. Returns
   * false if none is placed, or if a keypoint is selected: the user then wants to delete that one.
   */
  removeLast(): boolean {
    const { selected } = this;
    if (!selected || this.parts.selection.state.keypoint !== null) return false;
    const placed = (label: number) => isPlaced(selected.annotation, label);
    const last = this.order.findLast(placed) ?? this.labels().findLast(({ id }) => placed(id))?.id;
    if (last === undefined) return false;
    this.delete(last);
    return true;
  }

  /**
   * Deletes the selected keypoint. Returns true if one was selected, even if it is not placed and nothing was deleted.
   */
  deleteSelected(): boolean {
    const { selection, ui } = this.parts;
    const { keypoint } = selection.state;
    if (keypoint === null) return false;
    if (this.selected && pointOf(this.selected.annotation, keypoint)) this.delete(keypoint);
    else ui.showMessage(t`${{ name: this.label(keypoint)?.name ?? "" }} is not placed`);
    return true;
  }

  /** Selects or deselects a keypoint. If another one is selected, toggles the edge between the two. */
  click(label: number): void {
    const { selection, ui } = this.parts;
    const before = selection.state.keypoint;
    const { selected } = this;
    this.edges.confirmLastClick();
    if (before === label) selection.selectKeypoint(null);
    else if (before !== null && selected && isPlaced(selected.annotation, before))
      this.edges.toggle(selected.category, before, label);
    else {
      selection.selectKeypoint(label);
      ui.announce(t`${{ name: this.label(label)?.name ?? "" }} selected`);
    }
  }

  doubleClick(label: number): void {
    const { selection, ui } = this.parts;
    const uuid = selection.state.annotation;
    if (uuid === null) return;
    this.edges.undoLastClick();
    selection.selectKeypoint(label);
    ui.open({ kind: "keypoint", uuid, label });
  }

  private change(label: number, change: Partial<Keypoint>, actionOn: (name: string) => string): boolean {
    const { selected } = this;
    const point = selected && pointOf(selected.annotation, label);
    if (!selected || !point) return false;
    const points = withPoint(selected.annotation.keypoints, { ...point, ...change });
    return this.put(selected, points, actionOn(this.label(label)?.name ?? ""));
  }

  /** Returns false if the change is refused, e.g. because the annotation is locked; the guard then notifies the user. */
  private put({ annotation: { uuid } }: Selected, keypoints: Keypoint[], action: string): boolean {
    const { commands, document } = this.parts;
    commands.setKeypoints(uuid, keypoints, action);
    const now = document.annotation(uuid);
    return now === null || same(now.keypoints, keypoints);
  }

  private complete(): void {
    if (this.labels().length === 1) return;
    this.parts.ui.showMessage(t`All keypoints placed`);
    this.parts.onComplete();
  }

  private labels(): Label[] {
    return this.selected ? labelsOf(this.selected.category) : [];
  }

  /**
   * Updates the state that panels show. `follows`: true to continue placing at a keypoint that was just deleted, or
   * behind one that was just added.
   */
  private update(follows: boolean): void {
    const { selected } = this;
    const before = this.last;
    const annotation = selected?.annotation ?? null;
    this.last = annotation;
    const labels = this.labels();
    const ids = labels.map(({ id }) => id);
    if (before?.uuid !== annotation?.uuid) [this.anchor, this.order] = [null, []];
    else if (follows && before && annotation && before.keypoints !== annotation.keypoints)
      this.anchor = anchorAfter(ids, before, annotation) ?? this.anchor;
    this.deselectRemovedLabels(ids);
    const { keypoint } = this.parts.selection.state;
    if (annotation && keypoint !== null && !isPlaced(annotation, keypoint))
      this.anchor = { label: keypoint, behind: false };
    const next = annotation && nextLabel(ids, annotation, this.anchor);
    const placed = annotation ? ids.filter((id) => isPlaced(annotation, id)).length : 0;
    this.publish({ next: labels.find(({ id }) => id === next) ?? null, placed, total: ids.length });
  }

  private deselectRemovedLabels(ids: readonly number[]): void {
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
 * Returns the anchor after a change: at the first label that is no longer placed, otherwise behind the last newly
 * placed one; null without such a label.
 */
function anchorAfter(ids: readonly number[], before: Annotation, now: Annotation): Anchor | null {
  const removed = ids.find((id) => isPlaced(before, id) && !isPlaced(now, id));
  if (removed !== undefined) return { label: removed, behind: false };
  const added = ids.findLast((id) => !isPlaced(before, id) && isPlaced(now, id));
  return added === undefined ? null : { label: added, behind: true };
}
