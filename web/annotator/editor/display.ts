import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Rings } from "../../../shared/entities/shape";
import { turnableBox } from "../../../shared/geometry/forms/rotatedBox";
import { translateRings } from "../../../shared/geometry/polygons";
import { layerOf } from "../../../shared/rules/stacking";
import { type Box, boxOf, type Dot, type Shape, type Shapes } from "../canvas/shapes/shapes";
import type { Stage } from "../canvas/stage";
import type { Point } from "../canvas/view/view";
import type { AnnotatorDocument } from "../document/document";
import type { Layers, LayersState } from "../document/layers";
import type { Locks } from "../document/locks";
import { isBoxOnly, type Outlines } from "../document/outlines";
import type { Keypoints } from "../keypoints/Keypoints";
import { skeletonOf } from "../keypoints/model/drawn";
import { movedKeypoints, withPoint } from "../keypoints/model/points";
import type { Selection } from "../state/selection";

export interface DisplayParts {
  document: AnnotatorDocument;
  layers: Layers;
  locks: Locks;
  selection: Selection;
  outlines: Outlines;
  keypoints: Keypoints;
  shapes: Shapes;
  /** Returns true if the active tool works on vertices. */
  showsVertices: () => boolean;
}

/** Number of changed annotations above which everything is repainted, not each box. */
const BOX_BY_BOX = 20;
const NONE: ReadonlySet<string> = new Set();
/** Number of changed annotations above which all shapes are reloaded. */
const ONE_BY_ONE = 300;

/** Keeps the canvas up to date with the document, the visible layers and the selection. */
export class Display {
  private stage: Stage | null = null;
  /** Rings that replace the selected shape during a gesture. */
  private preview: Rings | null = null;
  /** Distance by which a gesture shows the selected shapes moved, in image pixels. */
  private moved: Point | null = null;
  /** Keypoint that is shown in a new position during a gesture. */
  private pointPreview: Keypoint | null = null;
  /** Boxes of rings. Rings are immutable, so boxes never change. */
  private readonly boxes = new WeakMap<Rings, Box | null>();
  private readonly stops: (() => void)[];

  constructor(private readonly parts: DisplayParts) {
    const { document, layers, locks, selection, keypoints, shapes } = parts;
    shapes.lock(locks.locked);
    this.stops = [
      locks.store.subscribe(({ locked }, before) => {
        shapes.lock(locked);
        this.update(new Set(differing(locked, before.locked)));
      }),
      document.listen((change) => {
        if (change.categories) this.reload();
        else this.update(change.annotations);
      }),
      layers.store.subscribe((now, before) => {
        if (now.colorBy === before.colorBy) this.update(this.affectedBy(now, before));
        else this.reload();
      }),
      selection.store.subscribe((now, before) => {
        if (now.all !== before.all) shapes.mark(now.all.size > 1 ? now.all : NONE);
        if (now.annotation !== before.annotation) {
          this.stage?.painting.clear();
          this.showSelection();
        }
        if (now.all !== before.all) this.showMarks(now.all, before.all);
        if (now.hovered !== before.hovered) this.showHover();
        if (now.keypoint !== before.keypoint) this.showKeypoints();
      }),
      keypoints.store.subscribe((now, before) => now.hovered !== before.hovered && this.showKeypoints()),
    ];
    this.reload();
  }

  attach(stage: Stage | null): void {
    this.stage = stage;
    this.refresh();
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.stage = null;
  }

  /** Shows the selected shape with other rings; null shows the shape's own rings. */
  showPreview(rings: Rings | null): void {
    this.preview = rings;
    this.showSelected();
  }

  /**
   * Shows all selected shapes with their keypoints moved by a distance in image pixels; null shows them in their
   * places.
   */
  showMove(by: Point | null): void {
    this.moved = by;
    this.stage?.scene.lift(this.parts.selection.isMany ? by : null);
    this.showSelected();
  }

  /** Reloads all shapes. */
  reload(): void {
    const { document, shapes } = this.parts;
    shapes.load([...document.state.annotations.values()].flatMap((annotation) => this.shapeOf(annotation) ?? []));
    this.refresh();
  }

  /** Shows all shapes, the selected shape and the hovered shape in their current state. */
  private refresh(): void {
    this.parts.shapes.select(this.selectedUuid());
    this.stage?.scene.repaint();
    this.showSelected();
    this.showHover();
  }

  update(uuids: ReadonlySet<string>): void {
    const { document, shapes, selection } = this.parts;
    if (uuids.size > ONE_BY_ONE) {
      this.reload();
      if (uuids.has(this.selectedUuid() ?? "")) this.showSelection();
      return;
    }
    const isMany = uuids.size > BOX_BY_BOX;
    if (isMany) this.stage?.scene.repaint();
    for (const uuid of uuids) {
      const annotation = document.annotation(uuid);
      const box = shapes.set(uuid, annotation && this.shapeOf(annotation));
      if (box && !isMany) this.stage?.scene.repaintBox(box);
      if (uuid === selection.state.annotation) this.showSelection();
      if (uuid === selection.state.hovered) this.showHover();
    }
  }

  /** Shows the selected shape. Must also be called when the tool has changed, which may show or hide vertices. */
  showSelected(): void {
    const shape = this.selectedShape();
    const rings =
      shape && (this.preview ?? (this.moved ? translateRings(shape.rings, this.moved.x, this.moved.y) : shape.rings));
    this.stage?.showMovedNames(rings && shape && rings !== shape.rings ? this.shownBox(rings) : null);
    const { document, selection, locks, showsVertices } = this.parts;
    const isLocked = locks.isLocked(shape?.uuid ?? "");
    const vertices = showsVertices() && !selection.isMany && !isLocked;
    const annotation = document.annotation(this.selectedUuid());
    const isbbox = annotation !== null && (annotation.isbbox || isBoxOnly(annotation));
    const turns = vertices && rings ? turnableBox(rings, isbbox) : null;
    this.stage?.active.showSelected(rings && shape && { rings, color: shape.color, vertices, turns, isLocked });
    this.showKeypoints();
  }

  /**
   * Returns a function that returns the box in which a gesture shows a shape; null if the gesture does not move the
   * shape. `rings`: the main shape's rings as they are shown.
   */
  private shownBox(rings: Rings): (shape: Shape) => Box | null {
    const { annotation, all } = this.parts.selection.state;
    const { moved } = this;
    if (moved) return (shape) => (all.has(shape.uuid) ? movedBox(shape, moved) : null);
    const main = boxOf(rings, []);
    return (shape) => (shape.uuid === annotation ? main : null);
  }

  /** Shows a keypoint of the selected annotation in a new position, or one not placed yet; null ends the preview. */
  showKeypointPreview(point: Keypoint | null): void {
    this.pointPreview = point;
    this.showKeypoints();
  }

  private showKeypoints(): void {
    const { document, layers, selection, keypoints } = this.parts;
    const annotation = document.annotation(this.selectedUuid());
    const preview = this.pointPreview;
    this.stage?.requestFrame();
    if (!annotation || !layers.isVisible(annotation)) {
      this.stage?.active.showSkeleton(null);
      return;
    }
    const own = this.moved ? movedKeypoints(annotation.keypoints, this.moved) : annotation.keypoints;
    const points = preview ? withPoint(own, preview) : own;
    const skeleton = { ...this.skeletonOf(annotation, points), color: layers.colorOf(annotation) };
    const hovered = preview?.label ?? keypoints.store.getState().hovered;
    this.stage?.active.showSkeleton(skeleton, { selected: selection.state.keypoint, hovered });
  }

  /** Returns the uuids of annotations whose visibility has changed. */
  private affectedBy(now: LayersState, before: LayersState): Set<string> {
    const categories = new Set(differing(now.shown, before.shown));
    const uuids = new Set(differing(now.hidden, before.hidden));
    if (categories.size === 0) return uuids;
    for (const { uuid, category_id } of this.parts.document.state.annotations.values())
      if (categories.has(category_id)) uuids.add(uuid);
    return uuids;
  }

  private showSelection(): void {
    this.preview = null;
    this.pointPreview = null;
    const box = this.parts.shapes.select(this.selectedUuid());
    if (box) this.stage?.scene.repaintBox(box);
    this.showSelected();
    this.showHover();
  }

  /** Repaints the shapes that have been selected or deselected. */
  private showMarks(now: ReadonlySet<string>, before: ReadonlySet<string>): void {
    // While several shapes are selected, the vertices of the main one are hidden.
    if (now.size > 1 !== before.size > 1) this.showSelected();
    const changed = differing(now, before);
    if (changed.length > BOX_BY_BOX) this.stage?.scene.repaint();
    else
      for (const uuid of changed) {
        const shape = this.parts.shapes.get(uuid);
        if (shape) this.stage?.scene.repaintBox(shape);
      }
  }

  private showHover(): void {
    const { hovered, annotation } = this.parts.selection.state;
    const shape = hovered && hovered !== annotation ? this.parts.shapes.get(hovered) : null;
    this.stage?.active.showHover(shape);
    this.stage?.requestFrame();
  }

  private selectedUuid(): string | null {
    return this.parts.selection.state.annotation;
  }

  private selectedShape(): Shape | null {
    const uuid = this.selectedUuid();
    return uuid === null ? null : this.parts.shapes.get(uuid);
  }

  private boxFor(rings: Rings, dots: readonly Dot[]): Box | null {
    if (dots.length > 0) return boxOf(rings, dots);
    const known = this.boxes.get(rings);
    if (known !== undefined) return known;
    const box = boxOf(rings, dots);
    this.boxes.set(rings, box);
    return box;
  }

  private skeletonOf({ category_id }: Annotation, points: Annotation["keypoints"]) {
    const category = this.parts.document.category(category_id);
    return skeletonOf(category ? points : null, category);
  }

  private shapeOf(annotation: Annotation): Shape | null {
    const { layers, locks, outlines } = this.parts;
    if (!layers.isVisible(annotation)) return null;
    const rings = outlines.of(annotation);
    const { dots, lines } = this.skeletonOf(annotation, annotation.keypoints);
    const box = this.boxFor(rings, dots);
    const { uuid } = annotation;
    const layer = layerOf(annotation);
    const isLocked = locks.isLocked(uuid);
    return box && { ...box, uuid, rings, layer, color: layers.colorOf(annotation), dots, lines, isLocked };
  }
}

const movedBox = ({ minX, minY, maxX, maxY }: Box, { x, y }: Point): Box => ({
  minX: minX + x,
  minY: minY + y,
  maxX: maxX + x,
  maxY: maxY + y,
});

/** Returns the elements that are in only one of the sets. */
function differing<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] {
  return a === b ? [] : [...[...a].filter((item) => !b.has(item)), ...[...b].filter((item) => !a.has(item))];
}
