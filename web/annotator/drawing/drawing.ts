import { createStore } from "zustand/vanilla";
import { SerialQueue } from "../../../shared/async/serialQueue";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import type { Piece } from "../canvas/hand/painting";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import type { Outlines } from "../document/outlines";
import type { Tell } from "../document/ports";
import type { Selection } from "../state/selection";

export type Operation = "unite" | "subtract";

export interface DrawingParts {
  document: AnnotatorDocument;
  selection: Selection;
  outlines: Outlines;
  commands: Commands;
  unite: (a: Rings, b: Rings) => Promise<Rings>;
  /** A shape with a piece united with it or taken from it. */
  withPiece: (shape: Rings, piece: Piece) => Promise<Rings>;
  /** With the person's tolerance. */
  simplify: (rings: Rings) => Promise<Rings>;
  tell: Tell;
}

const KEPT_ALONE = "What you drew is kept as a separate annotation.";
const ACTION = { unite: "Unite", subtract: "Subtract" } as const;

/**
 * Puts what tools have drawn into annotations: a gesture is one undo step, also where its arithmetic runs in a worker.
 * Gestures are put in place one after another, each on what the one before has left.
 */
export class Drawing {
  private readonly queue = new SerialQueue();
  /** Number of gestures that are not in the document yet. */
  readonly store = createStore(() => ({ waiting: 0 }));
  /** The annotation that each of them goes into, where it goes nowhere without that. */
  private targets: (string | null)[] = [];

  constructor(private readonly parts: DrawingParts) {}

  get isBusy(): boolean {
    return this.store.getState().waiting > 0;
  }

  /** Returns true if a gesture is on its way into an annotation. */
  awaits(uuid: string): boolean {
    return this.targets.includes(uuid);
  }

  /** Does something when all that was drawn before is in the document, and before what is drawn after. */
  after(act: () => void): void {
    if (this.isBusy) void this.queue.add(act).catch((error: unknown) => this.fail(error));
    else act();
  }

  /** Resolves when all that was drawn so far is in the document. */
  async settled(): Promise<void> {
    while (this.isBusy) await this.queue.settled();
  }

  /**
   * Returns the target of a drawn shape: an annotation, otherwise a new one of the category; without a category, none.
   */
  destination(kind: "polygon" | "bbox"): { annotation: Annotation | null; category: SceneCategory | null } {
    const { document, commands } = this.parts;
    const hand = this.inHand();
    const takes = hand && (kind === "polygon" || this.isEmpty(hand));
    const category = hand ? document.category(hand.category_id) : commands.categoryForNew();
    return { annotation: takes ? hand : null, category };
  }

  /**
   * A box takes an annotation without shape, or makes one of the same category. Where something is on its way that may
   * give the annotation a shape, that is waited for. Resolves when the box is in place.
   */
  async box(rings: Rings): Promise<void> {
    const hand = this.inHand();
    if (!hand) this.parts.commands.create(undefined, { rings, isbbox: true });
    else if (this.isBusy && this.isEmpty(hand)) await this.enqueue(async () => this.putBox(hand, rings), null);
    else this.putBox(hand, rings);
  }

  /**
   * A polygon is united into the annotation in hand, or makes one. Free-hand outlines are simplified, clicked ones not.
   * One that cannot be united makes one too: many clicks are in it. Resolves when it is in place.
   */
  async polygon(rings: Rings, isFreehand: boolean): Promise<void> {
    const { commands } = this.parts;
    const hand = this.inHand();
    if (!hand) commands.create(undefined, { rings });
    else if (this.isEmpty(hand) && !this.isBusy && !isFreehand) commands.reshape(hand.uuid, rings, false, ACTION.unite);
    else {
      const make = (shape: Rings) => this.united(shape, rings, isFreehand);
      await this.combine("unite", make, () => commands.create(hand.category_id, { rings }));
    }
  }

  /** A shape with what was drawn or computed, the latter simplified. */
  async united(shape: Rings, rings: Rings, isFreehand: boolean): Promise<Rings> {
    const piece = isFreehand ? await this.parts.simplify(rings) : rings;
    return shape.length === 0 || piece.length === 0 ? [...shape, ...piece] : this.parts.unite(shape, piece);
  }

  /** A piece is united with the annotation in hand, or taken from it; null changes nothing. Resolves when that is done. */
  piece(operation: Operation, coming: Promise<Piece | null>): Promise<void> {
    return this.combine(operation, async (shape) => {
      const piece = await coming;
      return piece && this.parts.withPiece(shape, piece);
    });
  }

  /**
   * The annotation in hand gets the shape that `make` makes of the one it has (image pixels, [] where it has none); null
   * and the same again leave it as it is. What the gesture leaves without shape and keypoints is deleted in the same undo
   * step. Resolves when that is done; a computation that fails is told, and leaves everything as it was but for `rescue`.
   */
  combine(operation: Operation, make: (shape: Rings) => Promise<Rings | null>, rescue?: () => void): Promise<void> {
    const hand = this.inHand();
    if (!hand) return Promise.resolve();
    const work = () =>
      this.put(hand.uuid, operation, make).catch((error: unknown) => {
        rescue?.();
        throw rescue ? new Error(`${messageOf(error)} ${KEPT_ALONE}`) : error;
      });
    return this.enqueue(work, hand.uuid);
  }

  /**
   * Does something that takes its time after all that was drawn before, and before what is drawn after. Failures are
   * told. `target`: the annotation without which it comes to nothing.
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
        // One after another: the oldest.
        this.targets.shift();
        this.wait(-1);
      }
    });
  }

  private fail(error: unknown): void {
    this.parts.tell("error", "Drawing", messageOf(error));
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
      const whole = await outlines.whole(before);
      const made = await make(whole);
      const now = document.annotation(target);
      if (now && (now.rings !== before.rings || now.rle !== before.rle)) continue;
      if (!now || !made || same(made, whole)) return;
      if (made.length > 0) commands.reshape(target, made, false, ACTION[operation]);
      else if (!this.isEmpty(now)) this.empty(now, operation);
      return;
    }
  }

  private putBox(target: Annotation, rings: Rings): void {
    const { commands, document } = this.parts;
    const now = document.annotation(target.uuid);
    if (now && this.isEmpty(now)) commands.reshape(now.uuid, rings, true, ACTION.unite);
    else commands.create(target.category_id, { rings, isbbox: true });
  }

  private empty(annotation: Annotation, operation: Operation): void {
    const { commands, document, tell } = this.parts;
    commands.empty(annotation.uuid, ACTION[operation]);
    if (!document.annotation(annotation.uuid))
      tell("info", "Annotation deleted", "Nothing was left of its shape. Undo restores it.");
  }

  private inHand(): Annotation | null {
    return this.parts.document.annotation(this.parts.selection.state.annotation);
  }

  /** Returns true if it has no shape, of whatever form. */
  isEmpty(annotation: Annotation): boolean {
    return !annotation.rle && this.parts.outlines.of(annotation).length === 0;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "The computation failed. The annotation is unchanged.";
}
