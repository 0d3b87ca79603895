import { plural, t } from "@lingui/core/macro";
import { modification } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import { withValue } from "../../../shared/rules/attributeValues";
import { GROUP_KEY, groupOf, layerOf, newGroup, ORDER_KEY } from "../../../shared/rules/stacking";
import { uuid } from "../../io/uuid";
import { byOrder, overlap, type Shapes } from "../canvas/shapes/shapes";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import { lockedText } from "../document/locks";
import type { Ui } from "../state/ui";
import { requireChangeable } from "./changeable";
import type { Selecting } from "./Selecting";

export interface StackingParts {
  document: AnnotatorDocument;
  selecting: Selecting;
  commands: Commands;
  shapes: Shapes;
  ui: Ui;
}

type Place = "front" | "back" | "forward" | "backward";

const actions = (): Readonly<Record<Place, string>> => ({
  front: t`Bring to Front`,
  back: t`Send to Back`,
  forward: t`Bring Forward`,
  backward: t`Send Backward`,
});

/** Order and groups of the selected annotations. Each change is one undo step and one batch of edits. */
export class Stacking {
  constructor(private readonly parts: StackingParts) {}

  /** Moves the selected annotations in the stack. They keep their order among themselves. */
  place(place: Place): void {
    const { ui } = this.parts;
    const changeable = requireChangeable(this.parts);
    if (changeable.length === 0) return;
    const by = this.shiftOf(place, changeable);
    if (by === 0)
      ui.showMessage(place === "front" || place === "forward" ? t`Already in front` : t`Already at the back`);
    else this.change(changeable, (each) => [ORDER_KEY, layerOf(each) + by || undefined], actions()[place]);
  }

  /** Makes the selected annotations a group: a click on one of them selects all. */
  group(): void {
    const { document, selecting, ui } = this.parts;
    const { annotations, changeable } = selecting;
    if (changeable.length < 2) {
      ui.showMessage(changeable.length < annotations.length ? lockedText() : t`Select several annotations to group`);
      return;
    }
    const id = newGroup(document.state.annotations.values());
    this.change(changeable, () => [GROUP_KEY, id], t`Group`);
    ui.showMessage(plural(changeable.length, { one: "# annotation grouped", other: "# annotations grouped" }));
  }

  ungroup(): void {
    const changeable = requireChangeable(this.parts);
    if (changeable.length === 0) return;
    const grouped = changeable.filter((each) => groupOf(each) !== null);
    this.change(grouped, () => [GROUP_KEY, undefined], t`Ungroup`);
    this.parts.ui.showMessage(
      grouped.length === 0
        ? t`The selected annotations are in no group`
        : plural(grouped.length, { one: "# annotation ungrouped", other: "# annotations ungrouped" }),
    );
  }

  private change(
    annotations: readonly Annotation[],
    entryOf: (annotation: Annotation) => [name: string, value: number | undefined],
    action: string,
  ): void {
    const edits = annotations.flatMap((annotation) => {
      const attributes = withValue(annotation.attributes, ...entryOf(annotation));
      return modification(uuid(), annotation, { attributes }) ?? [];
    });
    if (edits.length > 0) this.parts.commands.applyAll(edits, action);
  }

  /** Returns the number of layers by which the annotations must be moved; 0 if they are in place. */
  private shiftOf(place: Place, moved: readonly Annotation[]): number {
    const isUp = place === "front" || place === "forward";
    const others = place === "front" || place === "back" ? this.othersThan(moved) : this.neighboursOf(moved, isUp);
    const layers = others.map(layerOf);
    const own = moved.map(layerOf);
    if (layers.length === 0) return 0;
    if (place === "front") return Math.max(0, Math.max(...layers) + 1 - Math.min(...own));
    if (place === "back") return Math.min(0, Math.min(...layers) - 1 - Math.max(...own));
    return isUp ? Math.min(...layers) + 1 - Math.min(...own) : Math.max(...layers) - 1 - Math.max(...own);
  }

  private othersThan(moved: readonly Annotation[]): Annotation[] {
    const own = new Set(moved.map((each) => each.uuid));
    return [...this.parts.document.state.annotations.values()].filter((each) => !own.has(each.uuid));
  }

  /**
   * Returns the other annotations that overlap a moved one and are painted above it or, if `isAbove` is false, below
   * it.
   */
  private neighboursOf(moved: readonly Annotation[], isAbove: boolean): Annotation[] {
    const { shapes } = this.parts;
    const own = moved.flatMap((each) => shapes.get(each.uuid) ?? []);
    return this.othersThan(moved).filter((other) => {
      const shape = shapes.get(other.uuid);
      return own.some((each) => {
        if (!shape || !overlap(each, shape)) return false;
        const order = byOrder(shape, each);
        return isAbove ? order > 0 : order < 0;
      });
    });
  }
}
