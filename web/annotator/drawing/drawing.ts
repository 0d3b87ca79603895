import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { SerialQueue } from "../../../shared/async/serialQueue";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import type { Piece } from "../canvas/active/paintingLayer";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import type { History } from "../document/history";
import type { Outlines } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { ShapeKind } from "../tools/common/ports";

export type Operation = "unite" | "subtract";

export interface DrawingParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  outlines: Outlines;
  commands: Commands;
  unite: (a: Rings, b: Rings) => Promise<Rings>;
  /** Returns a shape with a piece united with it or subtracted from it. */
  withPiece: (shape: Rings, piece: Piece) => Promise<Rings>;
  /** Simplifies with the user's tolerance. */
  simplify: (rings: Rings) => Promise<Rings>;
  notify: Notify;
}

const keptAlone = () => t`Your drawing is kept as a separate annotation.`;
export const actionNames = () => ({ unite: t`Unite`, subtract: t`Subtract` }) as const;

/**
 * Puts what tools have drawn into annotations. Each gesture is one undo step, even if it is computed in a worker.
 * Gestures are applied in order, each to the result of the previous one.
 */
export class Drawing {
  private readonly queue = new SerialQueue();
  /** Number of gestures that are not in the document yet. */
  readonly store = createStore(() => ({ waiting: 0 }));
  /** Uuid of the annotation that each pending gesture changes; null if it does not depend on one. */
  private targets: (string | null)[] = [];
  /** Uuid of the annotation that was created last beside a selected one. */
  private besideLast: string | null = null;
  /** The undo steps that the queue has made. */
  private readonly steps = new WeakSet<object>();

  constructor(private readonly parts: DrawingParts) {}

  get isBusy(): boolean {
    return this.store.getState().waiting > 0;
  }

  /** Returns true if a pending gesture will change the annotation. */
  hasPending(uuid: string): boolean {
    return this.targets.includes(uuid);
  }

  /** Runs `act` after all earlier gestures are in the document and before later ones; at once if none is pending. */
  after(act: () => void): void {
    if (this.isBusy) void this.queue.add(() => this.write(act)).catch((error: unknown) => this.fail(error));
    else act();
  }

  /** Runs `act`, which changes the document in turn, and remembers its undo step as one of the queue. */
  write(act: () => void): void {
    const { history } = this.parts;
    const { made } = history;
    act();
    if (history.made > made && history.newest) this.steps.add(history.newest);
  }

  /** Returns true if a gesture or act that has waited in the queue made the undo step, not one that ran at once. */
  hasQueued(step: object): boolean {
    return this.steps.has(step);
  }

  /** Resolves when all gestures so far are in the document. */
  async settled(): Promise<void> {
    while (this.isBusy) await this.queue.settled();
  }

  /**
   * Returns the annotation that a drawn shape would go into, null if it becomes a new one, and the category, null if
   * there is none.
   */
  destination(kind: ShapeKind): { annotation: Annotation | null; category: SceneCategory | null } {
    const { document, commands } = this.parts;
    const selected = this.selectedAnnotation();
    const takes = selected && (kind === "polygon" || this.isEmpty(selected));
    const category = selected ? document.category(selected.category_id) : commands.categoryForNew();
    return { annotation: takes ? selected : null, category };
  }

  /**
   * Puts a shape into the selected annotation if that annotation has none; otherwise creates an annotation of the same
   * category. Waits for pending gestures that may give the annotation a shape. Resolves when the shape is in place.
   */
  async whole(rings: Rings, isbbox: boolean): Promise<void> {
    const selected = this.selectedAnnotation();
    const put = (target: Annotation) => this.putWhole(target, rings, isbbox);
    if (!selected) this.parts.commands.create(undefined, { rings, isbbox });
    else if (this.isBusy && this.isEmpty(selected))
      await this.enqueue(async () => this.write(() => put(selected)), null);
    else put(selected);
  }

  /**
   * Unites a polygon with the selected annotation, or creates one. Only free-hand outlines are simplified. If the union
   * fails, also creates an annotation, so that the user's clicks are not lost. Resolves when the polygon is in place.
   */
  async polygon(rings: Rings, isFreehand: boolean): Promise<void> {
    const { commands } = this.parts;
    const selected = this.selectedAnnotation();
    if (!selected) commands.create(undefined, { rings });
    else if (this.isEmpty(selected) && !this.isBusy && !isFreehand)
      commands.reshape(selected.uuid, rings, false, actionNames().unite);
    else await this.polygonWhenReady("unite", Promise.resolve(rings), isFreehand);
  }

  /**
   * Unites a polygon that is still being computed with the annotation that is selected now, or cuts it out; null changes
   * nothing. Cut out, it is simplified in any case. Otherwise see `polygon`.
   */
  async polygonWhenReady(operation: Operation, coming: Promise<Rings | null>, isFreehand: boolean): Promise<void> {
    const selected = this.selectedAnnotation();
    if (!selected) return;
    const make = async (shape: Rings) => {
      const rings = await coming;
      if (!rings) return null;
      return operation === "subtract" ? this.cut(shape, rings) : this.united(shape, rings, isFreehand);
    };
    const rescue = async () => {
      const rings = await coming.catch(() => null);
      if (rings) this.write(() => this.createBeside(selected, { rings }));
      return rings !== null;
    };
    await this.combine(operation, make, operation === "unite" ? rescue : undefined);
  }

  /**
   * Adds drawn rings to the selected annotation or cuts them out of it, whatever kind of shape they are. A box drawn
   * into an annotation without a shape stays a box. Resolves when the annotation has been changed.
   */
  async ringsPiece(operation: Operation, rings: Rings, kind: ShapeKind, isFreehand: boolean): Promise<void> {
    const selected = this.selectedAnnotation();
    const isFirst = !selected || (this.isEmpty(selected) && !this.isBusy);
    if (operation === "unite" && isFirst)
      await (kind === "polygon" ? this.polygon(rings, isFreehand) : this.whole(rings, kind === "bbox"));
    else
      await this.combine(operation, async (shape) => {
        const piece = isFreehand ? await this.parts.simplify(rings) : rings;
        return piece.length === 0 ? null : this.parts.withPiece(shape, { operation, rings: piece });
      });
  }

  /** Returns a shape united with drawn rings. Free-hand and computed outlines are simplified first. */
  async united(shape: Rings, rings: Rings, isFreehand: boolean): Promise<Rings> {
    const piece = isFreehand ? await this.parts.simplify(rings) : rings;
    return shape.length === 0 || piece.length === 0 ? [...shape, ...piece] : this.parts.unite(shape, piece);
  }

  /** Returns a shape with drawn rings cut out of it. The rings are simplified first. */
  async cut(shape: Rings, rings: Rings): Promise<Rings> {
    const piece = await this.parts.simplify(rings);
    return piece.length === 0 ? shape : this.parts.withPiece(shape, { operation: "subtract", rings: piece });
  }

  /**
   * Unites a piece with the selected annotation or subtracts it; null changes nothing. Resolves when the annotation has
   * been changed.
   */
  piece(operation: Operation, coming: Promise<Piece | null>): Promise<void> {
    return this.combine(operation, async (shape) => {
      const piece = await coming;
      return piece && this.parts.withPiece(shape, piece);
    });
  }

  /**
   * Gives the selected annotation the shape that `make` computes from its current one (image pixels, [] if it has
   * none). Null or an equal shape changes nothing. An annotation left without shape and keypoints is deleted in the
   * same undo step. Resolves when the annotation has been changed. If the computation fails, calls `rescue`, which
   * resolves to true if it has kept the drawing, shows the error and changes nothing else.
   */
  combine(
    operation: Operation,
    make: (shape: Rings) => Promise<Rings | null>,
    rescue?: () => Promise<boolean>,
  ): Promise<void> {
    const selected = this.selectedAnnotation();
    if (!selected) return Promise.resolve();
    const work = () =>
      this.put(selected.uuid, operation, make).catch(async (error: unknown) => {
        throw (await rescue?.()) ? new Error(`${messageOf(error)} ${keptAlone()}`) : error;
      });
    return this.enqueue(work, selected.uuid);
  }

  /**
   * Runs asynchronous work after all earlier gestures and before later ones, and shows an error if it fails. `target`
   * is the uuid of the annotation that the work depends on, or null.
   */
  enqueue(work: () => Promise<void>, target: string | null): Promise<void> {
    this.targets.push(target);
    this.wait(1);
    return this.queue.add(async () => {
      try {
        await work();
      } catch (error) {
        this.fail(error);
      } finally {
        // Work runs in order, so this one is the oldest.
        this.targets.shift();
        this.wait(-1);
      }
    });
  }

  private fail(error: unknown): void {
    this.parts.notify("error", t`Drawing`, messageOf(error));
  }

  private wait(change: 1 | -1): void {
    this.store.setState(({ waiting }) => ({ waiting: waiting + change }));
  }

  /** Stores the new shape. If the annotation's shape changes during the computation, computes again. */
  private async put(
    target: string,
    operation: Operation,
    make: (shape: Rings) => Promise<Rings | null>,
  ): Promise<void> {
    const { document, outlines, commands } = this.parts;
    for (;;) {
      const before = document.annotation(target);
      if (!before) return;
      const whole = await outlines.whenTraced(before);
      const made = await make(whole);
      const now = document.annotation(target);
      if (now && (now.rings !== before.rings || now.rle !== before.rle)) continue;
      if (!now || !made || same(made, whole)) return;
      this.write(() => {
        if (made.length > 0) commands.reshape(target, made, false, actionNames()[operation]);
        else if (!this.isEmpty(now)) this.empty(now, operation);
      });
      return;
    }
  }

  private putWhole(target: Annotation, rings: Rings, isbbox: boolean): void {
    const { commands, document } = this.parts;
    const now = document.annotation(target.uuid);
    if (now && this.isEmpty(now)) commands.reshape(now.uuid, rings, isbbox, actionNames().unite);
    else this.createBeside(target, { rings, isbbox });
  }

  /**
   * Creates an annotation for a shape that was drawn while `drawnOn` was selected. Selects it, unless the user has
   * selected another annotation since: an outline may have been begun there.
   */
  private createBeside(drawnOn: Annotation, shape: AnnotationChange): void {
    const { commands, selection } = this.parts;
    const { annotation } = selection.state;
    const isStillThere = annotation !== null && (annotation === drawnOn.uuid || annotation === this.besideLast);
    this.besideLast = commands.create(drawnOn.category_id, shape, isStillThere);
  }

  private empty(annotation: Annotation, operation: Operation): void {
    const { commands, document, notify } = this.parts;
    commands.clearShape(annotation.uuid, actionNames()[operation]);
    if (!document.annotation(annotation.uuid))
      notify("info", t`Annotation deleted`, t`Nothing was left of the annotation's shape. Undo restores it.`);
  }

  private selectedAnnotation(): Annotation | null {
    return this.parts.document.annotation(this.parts.selection.state.annotation);
  }

  /** Returns true if an annotation has no shape in any form. */
  isEmpty(annotation: Annotation): boolean {
    return !annotation.rle && this.parts.outlines.of(annotation).length === 0;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : t`The computation failed. The annotation is unchanged.`;
}
