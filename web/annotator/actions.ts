import { CATEGORY_SEARCH_ABOVE } from "../../shared/constants";
import type { Draft } from "../sync/syncState";
import type { Commands } from "./commands";
import type { AnnotatorDocument } from "./document";
import type { Drawing } from "./drawing";
import type { History, Outcome } from "./history";
import type { Layers } from "./layers";
import type { ModeSwitch } from "./mode";
import type { EditSink, Tell } from "./ports";
import { ANNOTATION_SEARCH_FROM, type Search } from "./search";
import type { Selection } from "./selection";
import type { Toolbox } from "./toolbox";
import { toolNamed } from "./tools";
import type { ToolName } from "./tools/tool";
import type { Ui } from "./ui";

export interface ActionParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  selection: Selection;
  toolbox: Toolbox;
  commands: Commands;
  drawing: Drawing;
  mode: ModeSwitch;
  search: Search;
  ui: Ui;
  sink: EditSink;
  tell: Tell;
  goTo: (imageId: number) => void;
  /** Loads the picture's data again. */
  reload: () => Promise<void>;
}

/** What buttons and keys do where more than one part is concerned. */
export class Actions {
  /** An annotation that was made only because a tool needs one. */
  private onApproval: string | null = null;

  constructor(private readonly parts: ActionParts) {}

  /** While something is being drawn, its last gesture; else the last step. */
  undo(): void {
    const { toolbox, history } = this.parts;
    if (!toolbox.machine.undo?.()) this.afterDrawing(() => this.follow(history.undo(), "undone"));
  }

  redo(): void {
    const { toolbox, history } = this.parts;
    if (!toolbox.machine.redo?.()) this.afterDrawing(() => this.follow(history.redo(), "done again"));
  }

  /** A tool that works on an annotation makes one where none is in hand. */
  chooseTool(name: ToolName): void {
    const { toolbox, selection } = this.parts;
    const isReady = !toolNamed(name).needsAnnotation || selection.state.annotation !== null;
    if (!isReady && !this.makeAnnotation()) return;
    if (!isReady) this.onApproval = selection.state.annotation;
    toolbox.choose(name);
  }

  /** To be called when another annotation or none is in hand: a tool cannot do without, and unused ones go. */
  handChanged(): void {
    const { selection, toolbox, history } = this.parts;
    const { annotation } = selection.state;
    if (annotation === null && toolbox.tool.needsAnnotation) toolbox.choose("Select");
    const unused = this.onApproval;
    if (unused === null || unused === annotation) return;
    this.onApproval = null;
    this.afterDrawing(() => history.forget(unused));
  }

  /** Label mode has no tools and nothing in hand. */
  toggleMode(): void {
    const { mode, toolbox, selection, ui } = this.parts;
    toolbox.machine.cancel();
    toolbox.choose("Select");
    selection.selectAnnotation(null);
    selection.hover(null);
    mode.toggle();
    ui.say(`Mode: ${mode.mode}`);
  }

  /** To the field that looks among the annotations of the category in hand, else among the categories. */
  startSearch(): void {
    const { selection, document, layers, search, mode } = this.parts;
    const { category } = selection.state;
    const hasField = category !== null && document.ofCategory(category).length >= ANNOTATION_SEARCH_FROM;
    if (hasField && mode.mode === "segment") {
      layers.expand(category, true);
      search.want(category);
    } else if (document.state.categories.length > CATEGORY_SEARCH_ABOVE) search.want("categories");
  }

  /** Of the annotation in hand. */
  openAnnotationSettings(): void {
    const { annotation } = this.parts.selection.state;
    if (annotation !== null) this.parts.ui.open({ kind: "annotation", uuid: annotation });
  }

  /** An empty annotation, ready for the tool that was used last. */
  newAnnotation(categoryId?: number): void {
    if (this.makeAnnotation(categoryId)) this.parts.toolbox.chooseRemembered();
  }

  /** Answers whether there was a category for it; the person is told either way. */
  private makeAnnotation(categoryId?: number): boolean {
    const { commands, layers, document, ui } = this.parts;
    const made = document.annotation(commands.create(categoryId));
    if (!made) {
      ui.askForCategory();
      return false;
    }
    layers.expand(made.category_id, true);
    ui.say(`New annotation of ${document.category(made.category_id)?.name}`);
    return true;
  }

  /** A point of what is being drawn, else the annotation in hand. */
  deleteInHand(): void {
    const { toolbox, selection, commands } = this.parts;
    if (toolbox.machine.takeBack?.()) return;
    if (selection.state.annotation !== null) commands.delete(selection.state.annotation);
  }

  cancel(): void {
    const { toolbox, selection } = this.parts;
    if (!toolbox.machine.cancel()) selection.stepOut();
  }

  async save(): Promise<void> {
    const { sink, tell, drawing } = this.parts;
    await drawing.settled();
    await sink.flush();
    const { status } = sink.state.getState();
    if (status === "offline" || status === "saved here")
      tell("info", "Saved here", "The server cannot be reached; your work is kept in this browser until it can.");
  }

  /** Decides a conflict, then looks at what the server has now. */
  async resolve(draft: Draft, choice: "mine" | "theirs"): Promise<void> {
    const { sink, reload } = this.parts;
    await sink.resolve(draft, choice);
    await sink.flush();
    await reload();
  }

  go(to: "previous" | "next"): void {
    const id = this.parts.document.state.image[to];
    if (id !== null) this.parts.goTo(id);
  }

  /** What was drawn and is still being computed comes first. */
  private afterDrawing(act: () => void): void {
    const { drawing } = this.parts;
    if (drawing.isBusy) void drawing.settled().then(act);
    else act();
  }

  private follow(outcome: Outcome, done: string): void {
    const { document, selection, layers, mode, tell } = this.parts;
    if (outcome.kind === "refused") tell("info", `Cannot be ${done}`, "Somebody else has changed the same since.");
    if (outcome.kind !== "done" || mode.mode === "label") return;
    const touched = new Set(outcome.touched.flatMap((edit) => (edit.subject === "annotation" ? [edit.target] : [])));
    const [only] = touched.size === 1 ? [...touched] : [];
    const annotation = document.annotation(only ?? null);
    if (!annotation) return;
    selection.selectAnnotation(annotation);
    layers.reveal(annotation);
  }
}
