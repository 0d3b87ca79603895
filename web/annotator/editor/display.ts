import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Rings } from "../../../shared/entities/shape";
import { type Box, boxOf, type Dot, type Shape, type Shapes } from "../canvas/shapes/shapes";
import type { Stage } from "../canvas/stage";
import type { AnnotatorDocument } from "../document/document";
import type { Layers, LayersState } from "../document/layers";
import type { Outlines } from "../document/outlines";
import type { Keypoints } from "../keypoints/Keypoints";
import { skeletonOf } from "../keypoints/model/drawn";
import { withPoint } from "../keypoints/model/points";
import type { Selection } from "../state/selection";

export interface DisplayParts {
  document: AnnotatorDocument;
  layers: Layers;
  selection: Selection;
  outlines: Outlines;
  keypoints: Keypoints;
  shapes: Shapes;
  /** Returns true if the active tool works on vertices. */
  showsVertices: () => boolean;
}

/** More annotations than this are painted anew together, not each in its box. */
const BOX_BY_BOX = 20;
/** More than this are looked up anew together, not one by one. */
const ONE_BY_ONE = 300;

/** Keeps the canvas in step with the document, with what is shown and with what is selected. */
export class Display {
  private stage: Stage | null = null;
  /** Rings that the shape in hand has while a gesture lasts. */
  private preview: Rings | null = null;
  /** A keypoint that it has while a gesture lasts. */
  private pointPreview: Keypoint | null = null;
  /** Boxes of rings, which never change. */
  private readonly boxes = new WeakMap<Rings, Box | null>();
  private readonly stops: (() => void)[];

  constructor(private readonly parts: DisplayParts) {
    const { document, layers, selection, keypoints } = parts;
    this.stops = [
      document.listen((change) => {
        if (change.categories) this.reload();
        else this.update(change.annotations);
      }),
      layers.store.subscribe((now, before) => this.update(this.touchedBy(now, before))),
      selection.store.subscribe((now, before) => {
        if (now.annotation !== before.annotation) {
          this.stage?.painting.clear();
          this.take();
        }
        if (now.hovered !== before.hovered) this.showHover();
        if (now.keypoint !== before.keypoint) this.showKeypoints();
      }),
      keypoints.store.subscribe((now, before) => now.hovered !== before.hovered && this.showKeypoints()),
    ];
    this.reload();
  }

  attach(stage: Stage | null): void {
    this.stage = stage;
    this.reload();
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.stage = null;
  }

  /** Shows the shape in hand with other rings; null shows it as it is. */
  showPreview(rings: Rings | null): void {
    this.preview = rings;
    this.showHand();
  }

  /** All shapes anew. */
  reload(): void {
    const { document, shapes } = this.parts;
    shapes.load([...document.state.annotations.values()].flatMap((annotation) => this.shapeOf(annotation) ?? []));
    this.parts.shapes.hold(this.heldUuid());
    this.stage?.scene.repaint();
    this.showHand();
    this.showHover();
  }

  update(uuids: ReadonlySet<string>): void {
    const { document, shapes, selection } = this.parts;
    if (uuids.size > ONE_BY_ONE) {
      this.reload();
      if (uuids.has(this.heldUuid() ?? "")) this.take();
      return;
    }
    const isMany = uuids.size > BOX_BY_BOX;
    if (isMany) this.stage?.scene.repaint();
    for (const uuid of uuids) {
      const annotation = document.annotation(uuid);
      const box = shapes.set(uuid, annotation && this.shapeOf(annotation));
      if (box && !isMany) this.stage?.scene.repaintBox(box);
      if (uuid === selection.state.annotation) this.take();
      if (uuid === selection.state.hovered) this.showHover();
    }
  }

  /** The shape in hand, also after the tool or the view has changed. */
  showHand(): void {
    const shape = this.heldShape();
    const rings = shape && (this.preview ?? shape.rings);
    const vertices = this.parts.showsVertices();
    this.stage?.active.showHand(rings && shape && { rings, color: shape.color, vertices });
    this.showKeypoints();
  }

  /** A keypoint of the annotation in hand elsewhere, or one that is not placed yet; null shows them as they are. */
  showKeypointPreview(point: Keypoint | null): void {
    this.pointPreview = point;
    this.showKeypoints();
  }

  private showKeypoints(): void {
    const { document, layers, selection, keypoints } = this.parts;
    const annotation = document.annotation(this.heldUuid());
    const preview = this.pointPreview;
    this.stage?.requestFrame();
    if (!annotation || !layers.isVisible(annotation)) {
      this.stage?.active.showSkeleton(null);
      return;
    }
    const points = preview ? withPoint(annotation.keypoints, preview) : annotation.keypoints;
    const skeleton = { ...this.skeletonOf(annotation, points), color: layers.colorOf(annotation) };
    const hovered = preview?.label ?? keypoints.store.getState().hovered;
    this.stage?.active.showSkeleton(skeleton, { selected: selection.state.keypoint, hovered });
  }

  /** The annotations that are shown otherwise than before. */
  private touchedBy(now: LayersState, before: LayersState): Set<string> {
    const categories = new Set([...differing(now.shown, before.shown), ...differing(now.expanded, before.expanded)]);
    const uuids = new Set(differing(now.hidden, before.hidden));
    if (categories.size === 0) return uuids;
    for (const { uuid, category_id } of this.parts.document.state.annotations.values())
      if (categories.has(category_id)) uuids.add(uuid);
    return uuids;
  }

  private take(): void {
    this.preview = null;
    this.pointPreview = null;
    const box = this.parts.shapes.hold(this.heldUuid());
    if (box) this.stage?.scene.repaintBox(box);
    this.showHand();
    this.showHover();
  }

  private showHover(): void {
    const { hovered, annotation } = this.parts.selection.state;
    const shape = hovered && hovered !== annotation ? this.parts.shapes.get(hovered) : null;
    this.stage?.active.showHover(shape);
    this.stage?.requestFrame();
  }

  private heldUuid(): string | null {
    return this.parts.selection.state.annotation;
  }

  private heldShape(): Shape | null {
    const uuid = this.heldUuid();
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
    const { layers, outlines } = this.parts;
    if (!layers.isVisible(annotation)) return null;
    const rings = outlines.of(annotation);
    const { dots, lines } = this.skeletonOf(annotation, annotation.keypoints);
    const box = this.boxFor(rings, dots);
    return box && { ...box, uuid: annotation.uuid, rings, color: layers.colorOf(annotation), dots, lines };
  }
}

/** Returns the elements that are in only one of the sets. */
function differing<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] {
  return a === b ? [] : [...[...a].filter((item) => !b.has(item)), ...[...b].filter((item) => !a.has(item))];
}
