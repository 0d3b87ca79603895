import { plural, t } from "@lingui/core/macro";
import { colorInPalette, type PaletteName } from "../../../shared/color/palettes";
import { modification } from "../../../shared/edits/make";
import { movedInto } from "../../../shared/rules/attributeValues";
import { type CategoryTool, toolOfCategory } from "../../../shared/rules/categoryTool";
import { uuid } from "../../io/uuid";
import { KEYPOINT_REACH_PX } from "../canvas/shapes/paint";
import type { Shapes } from "../canvas/shapes/shapes";
import type { PointerInput } from "../canvas/view/pointer";
import type { Point, View } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import { categoryEdit } from "../document/edits";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { type Locks, lockedText } from "../document/locks";
import type { Drawing } from "../drawing/drawing";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";

export interface CategoryActionParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  locks: Locks;
  selection: Selection;
  commands: Commands;
  drawing: Drawing;
  shapes: Shapes;
  view: View;
  ui: Ui;
}

/** Distance from a shape within which a press hits it, in CSS pixels. */
const HIT_PX = 5;

/** Actions that move annotations into a category, and choose the category for new annotations. */
export class CategoryActions {
  constructor(
    private readonly parts: CategoryActionParts,
    private readonly chooseTool: (name: CategoryTool) => void,
  ) {}

  /** Uuids of the annotations that get the chosen category; empty if the category is for new annotations. */
  get targets(): string[] {
    return [...this.parts.selection.state.all];
  }

  /**
   * Chooses a category by its number, counted from 0. Moves the selected annotations into it, as one undo step; without
   * a selection, selects the category for new annotations. Shows a message in both cases.
   */
  chooseNumber(place: number): void {
    const { document, ui } = this.parts;
    const id = document.state.numbered[place];
    if (id === undefined) ui.showMessage(t`There is no category ${{ number: place + 1 }}`);
    else this.assign(this.targets, id);
  }

  /**
   * Moves annotations into a category, as one undo step; without annotations, selects the category for new ones, and
   * the category's tool.
   */
  assign(targets: readonly string[], id: number): void {
    const { document, selection, commands, drawing, ui } = this.parts;
    const category = document.category(id);
    if (!category) return;
    commands.rememberCategory(id);
    if (targets.length > 0) {
      drawing.after(() => this.putInto(targets, id));
      return;
    }
    selection.selectCategory(id);
    ui.showMessage(t`New annotations go to ${{ name: category.name }}`);
    this.chooseToolOf(category);
  }

  /** Chooses a category's own tool, if it has one and nothing is being drawn. */
  chooseToolOf(category: Pick<SceneCategory, "metadata">): void {
    const tool = toolOfCategory(category);
    if (tool && !this.parts.ui.store.getState().isDrawing) this.chooseTool(tool);
  }

  /**
   * Opens the label picker for the selected annotations, or for new ones if none is selected. Opens it at the pointer,
   * or beside the selected shape if the pointer is not over the canvas.
   */
  pick(): void {
    this.open(this.targets, this.parts.ui.pointer ?? this.besideSelected());
  }

  /**
   * Selects the annotation under the pointer and opens the label picker for all selected ones; without an annotation
   * there, opens it for new annotations. `named`: uuid of the annotation whose name is under the pointer, if any.
   */
  pickAt({ image, screen }: PointerInput, named: string | null = null): void {
    const { shapes, view, selection, document, ui } = this.parts;
    const { zoom } = view.state;
    // An unfinished drawing goes into the selected annotation, even above another shape.
    if (ui.store.getState().isDrawing) {
      this.open(this.targets, screen);
      return;
    }
    const under = named ?? shapes.at(image, HIT_PX / zoom, KEYPOINT_REACH_PX / zoom)?.uuid ?? null;
    const annotation = document.annotation(under);
    if (annotation && !this.targets.includes(annotation.uuid)) selection.selectAnnotation(annotation);
    this.open(annotation ? this.targets : [], screen);
  }

  /** Opens the label picker at a point of the canvas. */
  open(targets: readonly string[], at: Point): void {
    this.parts.ui.openPicker({ targets, at });
  }

  /** Gives the categories the colours of a palette, in the order of their numbers, as one undo step. */
  recolor(palette: PaletteName): void {
    const { document, history, ui } = this.parts;
    const found = document.state.numbered.flatMap((id) => document.category(id) ?? []);
    const own = found.filter(({ permissions }) => permissions.edit);
    const edits = own.flatMap((category) => {
      const color = colorInPalette(palette, found.indexOf(category));
      return color === category.color ? [] : [categoryEdit(category, document.state.image.id, { color })];
    });
    const name = plural(edits.length, { one: "# category", other: "# categories" });
    history.gesture({ name, action: t`Recolor` }, () => document.apply(edits, "local"));
    const others = found.length - own.length;
    ui.showMessage(others > 0 ? t`${name} recolored, ${others} of other users not changed` : t`${name} recolored`);
  }

  private besideSelected(): Point {
    const { shapes, view, selection } = this.parts;
    const { width, height } = view.canvasSize;
    const shape = shapes.get(selection.state.annotation ?? "");
    const at = shape && view.toScreen({ x: shape.maxX, y: shape.minY });
    const isSeen = at && at.x > 0 && at.y > 0 && at.x < width && at.y < height;
    return isSeen ? at : { x: width / 2, y: height / 4 };
  }

  private putInto(targets: readonly string[], id: number): void {
    const { document, selection, commands, layers, locks, ui } = this.parts;
    const found = targets.flatMap((target) => (locks.isLocked(target) ? [] : (document.annotation(target) ?? [])));
    if (targets.length > 0 && found.length === 0) ui.showMessage(lockedText());
    const category = document.category(id);
    if (found.length === 0 || !category) return;
    // Made visible first, because annotations of a hidden category are removed from a multiple selection.
    layers.expand(id, true);
    commands.applyAll(
      found.flatMap((annotation) => modification(uuid(), annotation, movedInto(annotation, category)) ?? []),
      t`Category`,
    );
    // Selects the annotations again, because the category of the main one may have changed.
    selection.selectAnnotations([...selection.state.all].flatMap((each) => document.annotation(each) ?? []));
    ui.showMessage(
      plural(found.length, {
        one: `The annotation is now in ${{ name: category.name }}`,
        other: `# annotations are now in ${{ name: category.name }}`,
      }),
    );
  }
}
