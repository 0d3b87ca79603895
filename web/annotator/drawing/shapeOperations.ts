import { plural, t } from "@lingui/core/macro";
import { boxRing } from "../../../shared/coco/measure";
import { colorFor } from "../../../shared/edits/apply";
import type { AnnotationChange, Edit } from "../../../shared/edits/edit";
import { creation, deletion, modification } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Ring, Rings } from "../../../shared/entities/shape";
import { boundsTouch, isRectangle, ringsBounds } from "../../../shared/geometry/polygons";
import { uuid } from "../../io/uuid";
import type { Compute } from "../../io/workers/workers";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { isBoxOnly, type Outlines } from "../document/outlines";
import { nameOfAnnotation } from "../document/stepNames";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import type { Drawing } from "./drawing";

export interface ShapeOperationParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  layers: Layers;
  outlines: Outlines;
  drawing: Drawing;
  compute: Pick<Compute, "merge" | "split" | "subtract">;
  ui: Ui;
}

/** An annotation with the rings it is displayed with, in image pixels. */
interface Found {
  annotation: Annotation;
  rings: Rings;
}

/**
 * Shapes that are cut away from an annotation: all visible ones, or only smaller ones, which are painted above it in
 * the same layer.
 */
export type Neighbours = "all" | "above";

/**
 * Merges, splits, subtracts and converts whole annotations, which are given by uuid. Each operation is one undo step,
 * waits for pending gestures, and computes again if a shape changes in the meantime.
 */
export class ShapeOperations {
  constructor(private readonly parts: ShapeOperationParts) {}

  /** Unites annotations into the first one, which keeps its id, category and metadata. The others are deleted. */
  merge(uuids: readonly string[]): Promise<void> {
    return this.run(
      uuids,
      (found) => this.parts.compute.merge(found.flatMap(({ rings }) => rings)),
      (found, rings) => {
        const [first, ...others] = found.map(({ annotation }) => annotation);
        if (!first || others.length === 0) return;
        const keypoints = first.keypoints?.length ? null : others.find((other) => other.keypoints?.length)?.keypoints;
        const isOfSameCategory = others.every(({ category_id }) => category_id === first.category_id);
        const change = { rings, isbbox: false, ...(keypoints && isOfSameCategory && { keypoints }) };
        const edits = [...changeOf(first, change), ...others.map((other) => deletion(uuid(), other))];
        if (this.parts.document.refuses(edits)) return;
        // Before the step, because a tool is left, with its unfinished outline, when its annotation is deleted.
        this.selectInsteadOf(others, first);
        this.step(t`Merge`, edits, first);
        this.parts.ui.showMessage(plural(found.length, { one: "# annotation merged", other: "# annotations merged" }));
      },
    );
  }

  /**
   * Splits an annotation along a line x, y, x, y, … in image pixels. The largest part stays in the annotation, the
   * others become new annotations of its category, with its metadata except the name, and its attributes.
   */
  split(target: string, line: Ring): Promise<void> {
    return this.run(
      [target],
      ([found]) => this.parts.compute.split(found?.rings ?? [], line),
      ([found], parts) => {
        const [first, ...others] = parts;
        if (!found || !first) return;
        if (others.length === 0) {
          this.parts.ui.showMessage(t`The line does not divide the shape. Draw it across the whole shape`);
          return;
        }
        const { annotation } = found;
        const isbbox = isBox(annotation);
        const change = { rings: first, isbbox: isbbox && isRectangle(first) };
        const created = others.map((rings) => partOf(annotation, { rings, isbbox: isbbox && isRectangle(rings) }));
        const edits = [...changeOf(annotation, change), ...created];
        if (this.parts.document.refuses(edits)) return;
        this.step(t`Split`, edits, annotation);
        this.parts.ui.showMessage(
          plural(parts.length, { one: "Split into # annotation", other: "Split into # annotations" }),
        );
      },
    );
  }

  /** Cuts other visible shapes away from annotations. An annotation of which nothing would be left is not changed. */
  subtractNeighbours(uuids: readonly string[], which: Neighbours): Promise<void> {
    return this.run(
      uuids,
      (found) => Promise.all(found.map((each) => this.without(each, new Set(uuids), which))),
      (found, made) => {
        const edits = found.flatMap(({ annotation, rings }, i) => {
          const left = made[i] ?? [];
          const isChanged = left.length > 0 && !same(left, rings);
          return isChanged ? changeOf(annotation, { rings: left, isbbox: false }) : [];
        });
        const isCovered = made.some((left, i) => left.length === 0 && found[i]!.rings.length > 0);
        if (edits.length > 0) this.step(t`Subtract Neighbours`, edits, found[0]!.annotation);
        else
          this.parts.ui.showMessage(
            isCovered ? t`The neighbours cover the whole shape` : t`No other shape overlaps this one`,
          );
      },
    );
  }

  /** Turns annotations into the boxes around their shapes. */
  toBox(uuids: readonly string[]): Promise<void> {
    const boxed = ({ rings }: Found) =>
      rings.length > 0 ? { rings: [[boxRing(ringsBounds(rings))]], isbbox: true } : {};
    return this.convert(t`Convert to Box`, uuids, boxed);
  }

  /** Turns boxes and masks into outlines whose points can be moved. */
  toOutline(uuids: readonly string[]): Promise<void> {
    const outlined = ({ rings }: Found) => (rings.length > 0 ? { rings, isbbox: false } : {});
    return this.convert(t`Convert to Outline`, uuids, outlined);
  }

  private convert(action: string, uuids: readonly string[], change: (found: Found) => AnnotationChange): Promise<void> {
    return this.run(
      uuids,
      async (found) => found.map(change),
      (found, changes) => {
        const edits = found.flatMap(({ annotation }, i) => changeOf(annotation, changes[i] ?? {}));
        if (edits.length > 0) this.step(action, edits, found[0]!.annotation);
        else this.parts.ui.showMessage(t`There is nothing to convert`);
      },
    );
  }

  /** Computes from the annotations' shapes, then calls `put` with the result and the annotations as they are then. */
  private run<T>(
    uuids: readonly string[],
    make: (found: readonly Found[]) => Promise<T>,
    put: (found: readonly Found[], made: T) => void,
  ): Promise<void> {
    if (uuids.length === 0) return Promise.resolve();
    const { drawing, document } = this.parts;
    return drawing.enqueue(async () => {
      for (;;) {
        const found = await this.find(uuids);
        if (found.length === 0) return;
        const made = await make(found);
        const now = found.map(({ annotation: { uuid: target } }) => document.annotation(target));
        if (!now.every((annotation, i) => annotation && hasSameShape(annotation, found[i]!.annotation))) continue;
        const current = found.map(({ rings }, i) => ({ rings, annotation: now[i]! }));
        drawing.write(() => put(current, made));
        return;
      }
    }, uuids[0]!);
  }

  private async find(uuids: readonly string[]): Promise<Found[]> {
    const { document, outlines } = this.parts;
    const annotations = uuids.flatMap((target) => document.annotation(target) ?? []);
    return Promise.all(
      annotations.map(async (annotation) => ({ annotation, rings: await outlines.whenTraced(annotation) })),
    );
  }

  private async without({ annotation, rings }: Found, except: ReadonlySet<string>, which: Neighbours): Promise<Rings> {
    const { document, layers, outlines, compute } = this.parts;
    const box = ringsBounds(rings);
    const others = [...document.state.annotations.values()].filter(
      (other) => other !== annotation && !except.has(other.uuid) && layers.isVisible(other),
    );
    // A malformed mask has no outline, so it cuts nothing away.
    const shapes = await Promise.all(others.map((other) => outlines.whenTraced(other).catch(() => [])));
    const near = shapes.filter((shape) => {
      const bounds = ringsBounds(shape);
      const isWanted = which === "all" || bounds[2] * bounds[3] < box[2] * box[3];
      return shape.length > 0 && isWanted && boundsTouch(bounds, box);
    });
    return near.length === 0 ? rings : compute.subtract(rings, near.flat());
  }

  /** Selects an annotation if the main selected one is among `others`. The user may have selected another by now. */
  private selectInsteadOf(others: readonly Annotation[], annotation: Annotation): void {
    const { selection } = this.parts;
    if (others.some((other) => other.uuid === selection.state.annotation)) selection.selectAnnotation(annotation);
  }

  private step(action: string, edits: readonly Edit[], annotation: Annotation): void {
    const { history, document } = this.parts;
    history.gesture({ name: nameOfAnnotation(annotation), action }, () => document.apply(edits, "local"));
  }
}

const changeOf = (annotation: Annotation, change: AnnotationChange): Edit[] => {
  const edit = modification(uuid(), annotation, change);
  return edit ? [edit] : [];
};

function partOf({ image_id, category_id, metadata, attributes }: Annotation, shape: AnnotationChange): Edit {
  const target = uuid();
  const { name: _, ...rest } = metadata;
  const fields = { category_id, color: colorFor(target), metadata: rest, attributes, keypoints: null, ...shape };
  return creation(uuid(), image_id, target, fields);
}

const hasSameShape = (a: Annotation, b: Annotation): boolean => a.rings === b.rings && a.rle === b.rle;

const isBox = (annotation: Annotation): boolean => annotation.isbbox || isBoxOnly(annotation);
