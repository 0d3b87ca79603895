import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Edit } from "../../../shared/edits/edit";
import type { Rings } from "../../../shared/entities/shape";
import { combine } from "../../../shared/geometry/combine";
import { simplifyRings } from "../../../shared/geometry/simplify";
import type { Dextr } from "../../io/dextr/dextr";
import type { Compute } from "../../io/workers/workers";
import { Actions } from "../actions/actions";
import { commandList } from "../actions/commandList";
import { keypointCommands } from "../actions/keypointCommands";
import { Toolbox } from "../actions/toolbox";
import { Shapes } from "../canvas/shapes/shapes";
import { Stage } from "../canvas/stage";
import type { PointerTarget } from "../canvas/view/pointer";
import { View } from "../canvas/view/view";
import { Commands } from "../document/commands";
import { AnnotatorDocument } from "../document/document";
import { History } from "../document/history";
import { Labels } from "../document/labelMode";
import { Layers } from "../document/layers";
import { Outlines } from "../document/outlines";
import type { EditSink, Notify } from "../document/ports";
import { notifyDeletions } from "../drawing/deletions";
import { Drawing } from "../drawing/drawing";
import { notifyLostDrawings } from "../drawing/lostDrawings";
import { pieceMaker } from "../drawing/pieces";
import { Pixels } from "../drawing/pixels";
import { Keys } from "../keyboard/keys";
import { type Command, isFor, Shortcuts } from "../keyboard/shortcuts";
import { Keypoints } from "../keypoints/Keypoints";
import { boxOfRings } from "../keypoints/model/template";
import { rememberedCategory } from "../preferences/lastCategory";
import { Settings } from "../preferences/settings";
import { filterOf, ViewSettings } from "../preferences/viewSettings";
import { ModeSwitch } from "../state/mode";
import { Search } from "../state/search";
import { Selection } from "../state/selection";
import { Ui } from "../state/ui";
import type { Availability } from "../sync/availability";
import { journalEdits } from "../sync/journalEdits";
import { Sessions } from "../sync/sessions";
import { watchWork } from "../sync/watchWork";
import { Navigation } from "../tree/navigation";
import { Display } from "./display";
import { toolPorts } from "./toolPorts";

export interface EditorParts {
  scene: AnnotatorScene;
  /** Edits of this image that the server has not acknowledged yet. */
  pendingEdits: readonly Edit[];
  sink: EditSink;
  compute: Omit<Compute, "close">;
  /** DEXTR, shared by all images of the page. */
  dextr: Dextr;
  notify: Notify;
  /** The user's name, stored as the creator of new annotations; null if login is disabled. */
  username: string | null;
  /** Opens another image. */
  goTo: (imageId: number) => void;
  /** Target of key events: the window. */
  keyboard: EventTarget;
  /** Availability of the image. */
  availability: Availability;
  /** Reloads the image's data and replaces the document with it. */
  reload: () => Promise<void>;
  /** Fetches the changes of other users. */
  catchUp: () => void;
}

/** Number of coordinates below which shapes are computed at once, without flicker; larger ones go to the worker. */
const MAX_COMPUTED_HERE = 4000;
const isSmall = (rings: Rings): boolean => rings.flat(2).length < MAX_COMPUTED_HERE;

/** Creates and connects the annotator's parts for one image. Contains no logic beyond that. */
export class Editor {
  readonly document: AnnotatorDocument;
  readonly history: History;
  readonly selection = new Selection();
  readonly layers: Layers;
  readonly view: View;
  readonly viewSettings = new ViewSettings();
  readonly mode = new ModeSwitch();
  readonly search = new Search();
  readonly labels: Labels;
  readonly toolbox: Toolbox;
  readonly commands: Commands;
  readonly drawing: Drawing;
  readonly keypoints: Keypoints;
  readonly settings: Settings;
  readonly navigation: Navigation;
  readonly actions: Actions;
  readonly ui = new Ui();
  readonly list: readonly Command[];
  readonly shortcuts: Shortcuts;
  /** Passes pointer events to the active tool. Label mode has no tool, so every press moves the view. */
  readonly pointer: PointerTarget = {
    down: (input) => this.mode.mode === "segment" && this.toolbox.machine.down(input),
    click: (input) => this.mode.mode === "segment" && this.toolbox.machine.click(input),
    move: (input) => this.mode.mode === "segment" && this.toolbox.machine.move(input),
    up: (input) => this.toolbox.machine.up(input),
    leave: () => this.toolbox.machine.leave(),
    abort: () => this.toolbox.machine.abort(),
  };
  private readonly shapes = new Shapes();
  private readonly display: Display;
  private readonly keys: Keys;
  private readonly pixels: Pixels;
  private readonly sessions: Sessions;
  private readonly stops: (() => void)[];
  private stage: Stage | null = null;
  private imageAddress = "";

  constructor(readonly parts: EditorParts) {
    const { scene, sink, compute } = parts;
    const { width, height } = scene.image;
    const document = new AnnotatorDocument(scene, parts.username);
    document.addPendingEdits(parts.pendingEdits);
    // The journal must be the first listener, so that edits are stored even if a later listener throws.
    const stopJournalling = journalEdits(document, sink, parts.catchUp);
    const { selection } = this;
    const layers = new Layers(document);
    const history = new History(document);
    const outlines = new Outlines(compute.trace, (uuid) => this.display.update(new Set([uuid])));
    const lastCategory = rememberedCategory(scene.dataset.id);
    const uniteAnywhere = (a: Rings, b: Rings) =>
      isSmall(a) && isSmall(b) ? Promise.resolve(combine("unite", a, b)) : compute.unite(a, b);
    const simplifyAnywhere = (rings: Rings) => {
      const { simplify } = this.settings.state;
      return isSmall(rings) ? Promise.resolve(simplifyRings(rings, simplify)) : compute.simplify(rings, simplify);
    };

    this.document = document;
    this.history = history;
    this.layers = layers;
    this.view = new View(scene.image);
    this.navigation = new Navigation(document, selection, layers, this.search);
    this.settings = new Settings(scene.preferences, (preferences) => void sink.recordPreferences(preferences));
    this.commands = new Commands({ document, history, selection, lastCategory });
    this.labels = new Labels({
      document,
      commands: this.commands,
      search: this.search,
      showMessage: (text) => this.ui.showMessage(text),
    });
    this.drawing = new Drawing({
      document,
      selection,
      outlines,
      commands: this.commands,
      unite: uniteAnywhere,
      simplify: simplifyAnywhere,
      withPiece: pieceMaker(compute, () => this.settings.state.simplify, { width, height }),
      notify: parts.notify,
    });
    this.keypoints = new Keypoints({
      document,
      selection,
      layers,
      commands: this.commands,
      history,
      ui: this.ui,
      notify: parts.notify,
      seen: () => this.view.seen(),
      frameOf: (annotation) => boxOfRings(outlines.of(annotation)),
      onComplete: () => this.actions.endKeypoints(),
    });
    const showsVertices = () => this.toolbox?.tool.showsVertices ?? true;
    this.display = new Display({
      document,
      layers,
      selection,
      outlines,
      keypoints: this.keypoints,
      shapes: this.shapes,
      showsVertices,
    });
    this.pixels = new Pixels({
      compute,
      dextr: parts.dextr,
      image: () => ({ id: scene.image.id, address: this.imageAddress }),
      tolerance: () => this.settings.state.simplify,
    });
    const ports = toolPorts({
      document,
      history,
      selection,
      layers,
      shapes: this.shapes,
      outlines,
      view: this.view,
      commands: this.commands,
      drawing: this.drawing,
      keypoints: this.keypoints,
      display: this.display,
      stage: () => this.stage,
      onDraft: (isDrawing) => this.ui.setDrawing(isDrawing),
      openSettings: (uuid) => this.ui.open({ kind: "annotation", uuid }),
      onNoCategory: () => this.ui.askForCategory(),
      showsCreator: parts.username !== null,
      wand: this.pixels.wand,
      dextr: this.pixels.dextr,
      notify: parts.notify,
    });
    this.toolbox = new Toolbox(
      ports,
      scene.preferences,
      (preference, options) => void sink.recordPreferences({ [preference]: { ...options } }),
    );
    this.actions = new Actions({
      ...parts,
      document,
      history,
      layers,
      selection,
      toolbox: this.toolbox,
      commands: this.commands,
      drawing: this.drawing,
      keypoints: this.keypoints,
      mode: this.mode,
      search: this.search,
      ui: this.ui,
    });
    this.sessions = new Sessions({
      imageId: scene.image.id,
      tool: () => this.toolbox.tool.name,
      record: (session) => void sink.recordSession(session),
    });
    this.list = [...commandList(this), ...keypointCommands(this)];
    this.shortcuts = new Shortcuts(
      () => this.list.filter((command) => isFor(command, this.mode.mode)),
      () => this.settings.state.shortcuts,
    );
    this.keys = new Keys(this.shortcuts, parts.keyboard);
    this.stops = [
      stopJournalling,
      notifyLostDrawings({ document, selection, drawing: this.drawing, ui: this.ui, notify: parts.notify }),
      notifyDeletions({ document, history, notify: parts.notify }),
      document.listen(() => {
        this.deselectDeleted();
        this.toolbox.machine.refresh();
      }),
      history.store.subscribe(() => this.toolbox.machine.refresh()),
      watchWork(parts.keyboard, this.sessions),
      this.viewSettings.store.subscribe(() => this.showLook()),
      this.toolbox.store.subscribe((now, before) => {
        if (now.tool === before.tool) return;
        this.sessions.addTool(now.tool.name);
        this.display.showSelected();
      }),
      selection.store.subscribe((now, before) => {
        if (now.annotation === before.annotation) return;
        this.sessions.selectAnnotation(now.annotation);
        this.actions.selectionChanged();
        this.toolbox.machine.refresh();
      }),
    ];
  }

  /** Creates the canvas in an element of the page and loads the image. Rejects if the image cannot be loaded. */
  attach(element: HTMLElement, imageAddress: string): Promise<void> {
    const { file_name: fileName, width, height } = this.document.state.image;
    this.imageAddress = new URL(imageAddress, window.location.href).href;
    this.stage?.remove();
    this.stage = new Stage(element, {
      view: this.view,
      shapes: this.shapes,
      keys: {
        isDown: (key) => this.keys.isDown(key),
        use: (key) => this.keys.use(key),
        isShiftOnScreen: () => this.ui.store.getState().shift,
      },
      target: this.pointer,
      fileName,
      size: { width, height },
    });
    this.display.attach(this.stage);
    this.showLook();
    return this.stage.image.load(imageAddress);
  }

  /** Focuses the canvas, so that keys run commands. */
  focus(): void {
    this.stage?.focus();
  }

  detach(): void {
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
    this.selection.selectAnnotation(null);
    this.sessions.close();
    this.keys.remove();
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

  private showLook(): void {
    const { state } = this.viewSettings;
    this.stage?.showLook(filterOf(state), state.opacity);
  }

  /** Deselects annotations that were deleted, here or by others. */
  private deselectDeleted(): void {
    const { annotation, hovered } = this.selection.state;
    if (annotation !== null && !this.document.annotation(annotation)) this.selection.selectAnnotation(null);
    if (hovered !== null && !this.document.annotation(hovered)) this.selection.hover(null);
  }
}
