import { t } from "@lingui/core/macro";
import type { Actions } from "../actions/actions";
import type { CategoryActions } from "../actions/categoryActions";
import type { Creating } from "../actions/creating";
import type { ImageProgress } from "../actions/imageProgress";
import type { Saving } from "../actions/saving";
import type { Toolbox } from "../actions/toolbox";
import type { Undoing } from "../actions/undoing";
import type { Box, Shapes } from "../canvas/shapes/shapes";
import { Stage } from "../canvas/stage";
import type { PointerInput, PointerTarget } from "../canvas/view/pointer";
import type { View } from "../canvas/view/view";
import type { Clipboard } from "../clipboard/Clipboard";
import type { PreviousImage } from "../clipboard/PreviousImage";
import type { Propagation } from "../clipboard/Propagation";
import { Comments } from "../comments/Comments";
import { offerDrafts } from "../comments/offerDrafts";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Labels } from "../document/labelMode";
import type { Layers } from "../document/layers";
import type { Locks } from "../document/locks";
import { stepText } from "../document/stepNames";
import type { Drawing } from "../drawing/drawing";
import type { KeptSketch } from "../drawing/keptSketch";
import type { Pixels } from "../drawing/pixels";
import type { ShapeOperations } from "../drawing/shapeOperations";
import type { Simplifying } from "../drawing/simplifying";
import type { Keys } from "../keyboard/keys";
import type { Command, Shortcuts } from "../keyboard/shortcuts";
import type { Keypoints } from "../keypoints/Keypoints";
import { Past } from "../past/Past";
import type { Settings } from "../preferences/settings";
import { fillAlpha, filterOf, ViewSettings } from "../preferences/viewSettings";
import { ViewToggles } from "../preferences/viewToggles";
import type { Outlining } from "../selected/Outlining";
import type { SelectedAttributes } from "../selected/SelectedAttributes";
import type { SelectedCommands } from "../selected/SelectedCommands";
import type { Selecting } from "../selected/Selecting";
import type { Stacking } from "../selected/Stacking";
import { ModeSwitch } from "../state/mode";
import { Search } from "../state/search";
import { Selection } from "../state/selection";
import { Ui } from "../state/ui";
import { Others } from "../sync/others";
import type { Sessions } from "../sync/sessions";
import type { Navigation } from "../tree/navigation";
import { connectParts } from "./connectParts";
import type { Display } from "./display";
import type { EditorParts } from "./editorParts";
import { makeCanvasParts } from "./makeCanvasParts";
import { makeDocumentParts } from "./makeDocumentParts";
import { makeDrawingParts } from "./makeDrawingParts";
import { makeKeyboardParts } from "./makeKeyboardParts";
import { makeToolParts } from "./makeToolParts";

/** Hit distance of an outline for comments, in screen pixels. */
const HIT_DISTANCE_PX = 5;

/** Creates and connects the annotator's parts for one image. Contains no logic beyond that. */
export class Editor {
  readonly document: AnnotatorDocument;
  readonly history: History;
  readonly selection = new Selection();
  readonly layers: Layers;
  readonly locks: Locks;
  readonly view: View;
  readonly viewSettings = new ViewSettings();
  readonly viewToggles = new ViewToggles();
  readonly mode = new ModeSwitch();
  readonly search = new Search();
  readonly labels: Labels;
  readonly toolbox: Toolbox;
  readonly commands: Commands;
  /** The unfinished outline, kept or discarded. */
  readonly sketch: KeptSketch;
  readonly drawing: Drawing;
  readonly operations: ShapeOperations;
  readonly simplifying: Simplifying;
  readonly outlining: Outlining;
  readonly keypoints: Keypoints;
  readonly settings: Settings;
  readonly navigation: Navigation;
  readonly actions: Actions;
  readonly creating: Creating;
  readonly undoing: Undoing;
  readonly saving: Saving;
  readonly categories: CategoryActions;
  readonly selecting: Selecting;
  readonly selected: SelectedCommands;
  readonly attributes: SelectedAttributes;
  readonly stacking: Stacking;
  readonly clipboard: Clipboard;
  readonly previousImage: PreviousImage;
  readonly propagation: Propagation;
  readonly progress: ImageProgress;
  readonly past: Past;
  /** Pointers and selections of the other users on the image. */
  readonly others: Others;
  readonly comments: Comments;
  readonly ui = new Ui();
  readonly list: readonly Command[];
  readonly shortcuts: Shortcuts;
  /** Passes pointer events to the active tool. Label mode and the past have no tool, so every press moves the view. */
  readonly pointer: PointerTarget = {
    down: (input) => this.isEditable && !this.isLooking && (this.openName(input) || this.pressTool(input)),
    click: (input) => {
      if (this.past.state.moment) this.past.pick(input.image);
      else if (this.isEditable && !this.isLooking) this.toolbox.machine.click(input);
    },
    menu: (input) =>
      this.isEditable && !this.document.isReadOnly && this.categories.pickAt(input, this.stage?.nameAt(input.screen)),
    move: (input) => {
      this.ui.pointer = input.screen;
      this.others.point(input.image);
      if (this.isEditable) this.toolbox.machine.move(input);
    },
    up: (input) => this.toolbox.machine.up(input),
    leave: () => {
      this.ui.pointer = null;
      this.others.point(null);
      this.toolbox.machine.leave();
    },
    abort: () => this.toolbox.machine.abort(),
  };
  /** The cursor that keys move on the image. */
  readonly cursor = { toggle: () => this.stage?.cursor.toggle() };
  private readonly shapes: Shapes;
  private readonly display: Display;
  private readonly keys: Keys;
  private readonly stopPasting: () => void;
  private readonly pixels: Pixels;
  private readonly sessions: Sessions;
  private readonly stops: (() => void)[];
  private stage: Stage | null = null;
  private imageAddress = "";
  private areShapesHidden = false;
  private isLeft = false;

  /** Creates the parts in a fixed order, because they listen to the document in the order of their creation. */
  constructor(readonly parts: EditorParts) {
    const { selection, search, mode, ui } = this;
    this.others = new Others(parts.username);

    const documents = makeDocumentParts(parts, { selection, search, ui });
    this.document = documents.document;
    this.history = documents.history;
    this.layers = documents.layers;
    this.locks = documents.locks;
    this.navigation = documents.navigation;
    this.settings = documents.settings;
    this.commands = documents.commands;
    this.labels = documents.labels;

    const drawings = makeDrawingParts(parts, {
      ...documents,
      selection,
      onTraced: (uuid) => this.display.update(new Set([uuid])),
      imageAddress: () => this.imageAddress,
    });
    this.drawing = drawings.drawing;
    this.pixels = drawings.pixels;
    this.sketch = drawings.sketch;
    this.past = new Past({ ...documents, outlines: drawings.outlines });

    const canvas = makeCanvasParts(parts, {
      ...documents,
      selection,
      ui,
      outlines: drawings.outlines,
      showsVertices: () => this.toolbox?.tool.showsVertices ?? true,
      onKeypointsComplete: () => this.creating.endKeypoints(),
      onNextPoint: (categoryId) => void this.creating.createAnnotation(categoryId),
    });
    this.view = canvas.view;
    this.shapes = canvas.shapes;
    this.keypoints = canvas.keypoints;
    this.display = canvas.display;

    this.comments = new Comments({
      document: this.document,
      view: this.view,
      at: (point) => this.shapes.at(point, HIT_DISTANCE_PX / this.view.state.zoom, 0)?.uuid ?? null,
      boxOf: (uuid) => this.boxOf(uuid),
      drafts: parts.drafts,
    });

    const everything = { ...documents, ...drawings, ...canvas, selection, search, mode, ui };
    const tools = makeToolParts(parts, {
      ...everything,
      stage: () => this.stage,
      isSnapping: () => this.viewToggles.state.snap,
    });
    this.toolbox = tools.toolbox;
    this.actions = tools.actions;
    this.creating = tools.creating;
    this.undoing = tools.undoing;
    this.saving = tools.saving;
    this.categories = tools.categories;
    this.sessions = tools.sessions;
    this.operations = tools.operations;
    this.simplifying = tools.simplifying;
    this.outlining = tools.outlining;
    this.selecting = tools.selecting;
    this.selected = tools.selected;
    this.attributes = tools.attributes;
    this.stacking = tools.stacking;
    this.clipboard = tools.clipboard;
    this.previousImage = tools.previousImage;
    this.propagation = tools.propagation;
    this.progress = tools.progress;

    const keyboard = makeKeyboardParts(parts, this);
    this.list = keyboard.list;
    this.shortcuts = keyboard.shortcuts;
    this.keys = keyboard.keys;
    this.stopPasting = keyboard.stopPasting;

    this.stops = [
      documents.stopJournalling,
      parts.lastPropagation.documents.add(this.document),
      offerDrafts({ document: this.document, comments: this.comments, drafts: parts.drafts, notify: parts.notify }),
      ...connectParts(parts, { ...everything, ...tools }),
      this.selection.store.subscribe((now, before) => now.all !== before.all && this.others.select(now.all)),
      this.viewSettings.store.subscribe(() => this.showLook()),
      this.viewToggles.store.subscribe(() => this.showLook()),
    ];
  }

  private get isEditable(): boolean {
    return this.mode.mode === "segment" && this.past.state.moment === null;
  }

  /** True while no shape can be selected, because all are hidden: a press only moves the view. */
  private get isLooking(): boolean {
    return this.areShapesHidden && this.toolbox.tool.name === "Select";
  }

  /** Creates the canvas in an element of the page, without the image. */
  attach(element: HTMLElement): void {
    const { file_name: fileName, width, height } = this.document.state.image;
    this.stage?.remove();
    this.stage = new Stage(element, {
      view: this.view,
      shapes: this.shapes,
      keys: {
        isDown: (key) => this.keys.isDown(key),
        use: (key) => this.keys.use(key),
        onScreen: () => this.ui.store.getState().held,
      },
      target: this.pointer,
      fileName,
      size: { width, height },
      others: this.others.store,
      voice: {
        moved: ({ x, y }) => this.ui.announce(`${x}, ${y}`),
        pressed: ({ x, y }) => this.ui.announce(this.pressText(`${x}, ${y}`)),
      },
      nameOf: (uuid) => this.document.category(this.document.annotation(uuid)?.category_id ?? null)?.name ?? "",
      numberOf: (uuid) => this.layers.numberOf(uuid),
    });
    this.display.attach(this.stage);
    this.showLook();
    this.sketch.setLeaving(false);
    this.creating.continueTool(this.parts.carriedTool.name);
    this.parts.carriedTool.name = null;
    this.creating.continueSketch();
  }

  /** Loads the image into the canvas from an absolute address. Rejects if it cannot be loaded. */
  async showImage(address: string): Promise<void> {
    this.imageAddress = address;
    await this.stage?.image.load(address);
  }

  /** Hides all shapes, or shows them again, without changing which are visible. */
  hideShapes(isHidden: boolean): void {
    this.areShapesHidden = isHidden;
    this.stage?.hideShapes(isHidden);
  }

  /** Returns the box around a visible annotation in image pixels; null if there is none. */
  boxOf(uuid: string): Box | null {
    return this.shapes.get(uuid);
  }

  /** Focuses the canvas, so that keys run commands. */
  focus(): void {
    this.stage?.focus();
  }

  detach(): void {
    this.sketch.setLeaving(true);
    this.toolbox.conclude();
    this.display.attach(null);
    this.stage?.remove();
    this.stage = null;
  }

  /**
   * Stops input and the record of working time, and removes an unused annotation that was created for a tool. Drawings
   * that are still being computed continue.
   */
  leave(): void {
    this.sketch.setLeaving(true);
    // Closing leaves a second time, without the tool.
    if (!this.isLeft) this.parts.carriedTool.name = this.toolbox.tool.name;
    this.isLeft = true;
    this.selection.selectAnnotation(null);
    this.sessions.close();
    this.keys.remove();
    this.stopPasting();
    this.previousImage.close();
    this.propagation.close();
    this.progress.close();
    this.outlining.close();
    this.detach();
  }

  close(): void {
    this.leave();
    this.display.close();
    this.pixels.close();
    for (const stop of this.stops) stop();
  }

  /** Resolves when everything drawn is in the document and has been passed to the journal. */
  settled(): Promise<void> {
    return this.drawing.settled();
  }

  /** Returns a text for screen readers that describes the effect of a press. `place`: the position as text. */
  private pressText(place: string): string {
    if (this.ui.store.getState().isDrawing) return t`Point at ${place}`;
    const { undo } = this.history.store.getState();
    return undo ? stepText(undo) : t`Pressed at ${place}`;
  }

  /** Passes a press to the tool, after creating the annotation that the tool may need. */
  private pressTool(input: PointerInput): boolean {
    return !this.creating.provideAnnotation() || this.toolbox.machine.down(input);
  }

  /** Opens the label picker on a double click on a shape's name. Returns false for other presses. */
  private openName(input: PointerInput): boolean {
    const isForNames = input.clicks === 2 && !this.document.isReadOnly && this.toolbox.tool.name === "Select";
    const uuid = isForNames ? this.stage?.nameAt(input.screen) : null;
    if (uuid) this.categories.pickAt(input, uuid);
    return !!uuid;
  }

  private showLook(): void {
    const { state } = this.viewSettings;
    const flags = this.viewToggles.state;
    this.stage?.showLook({
      filter: filterOf(state),
      opacity: fillAlpha(state.opacity),
      isOutlineOnly: flags.outlineOnly,
    });
    this.stage?.showAids(flags);
  }
}
