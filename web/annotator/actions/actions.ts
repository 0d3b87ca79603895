import { CATEGORY_SEARCH_ABOVE } from "../../../shared/constants";
import { subjectOf } from "../../../shared/edits/subject";
import { type Choice, type Draft, isOfMissingImage, type SyncState } from "../../sync/journal/syncState";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument, SceneCategory } from "../document/document";
import type { History, Outcome } from "../document/history";
import type { Layers } from "../document/layers";
import type { EditSink, Tell } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import type { Keypoints } from "../keypoints/Keypoints";
import type { ModeSwitch } from "../state/mode";
import { ANNOTATION_SEARCH_FROM, type Search } from "../state/search";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { toolNamed } from "../tools";
import type { ToolName } from "../tools/common/tool";
import { visibilityOfNew } from "../tools/keypoints/options";
import type { Toolbox } from "./toolbox";

export interface ActionParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  selection: Selection;
  toolbox: Toolbox;
  commands: Commands;
  drawing: Drawing;
  keypoints: Keypoints;
  mode: ModeSwitch;
  search: Search;
  ui: Ui;
  sink: EditSink;
  tell: Tell;
  goTo: (imageId: number) => void;
  /** Loads the image's data again. */
  reload: () => Promise<void>;
}

/** Messages shown when a save cannot reach the server. */
const NOT_SENT: Partial<Record<SyncState["status"], string>> = {
  "saved here": "Your work is saved in this browser and will be sent as soon as possible.",
  offline: "The server cannot be reached. Your work is saved in this browser and will be sent later.",
  failing: "The server returns errors. Your work is saved in this browser and will be sent again.",
  "for review": "The server's data was restored or replaced. Your work is saved in this browser for review.",
  "signed out": "Your work is saved in this browser and will be sent when you log in again.",
};

const STILL_MISSING = "The image is still in the trash, or you may not see it. Your work is saved in this browser.";

const LIST_ENDS = {
  previous: "This is the first image of the list",
  next: "This is the last image of the list",
  next_not_annotated: "All later images in the list are annotated",
};

/** Actions of buttons and keys that concern more than one part. */
export class Actions {
  /** An annotation that was made only because a tool needs one. */
  private onApproval: string | null = null;
  /** The tool was put down as its work was done; the next annotation goes on with it. */
  private goesOn: ToolName | null = null;

  constructor(private readonly parts: ActionParts) {}

  /** While something is being drawn, its last gesture; else the last step. */
  undo(): void {
    const { toolbox, history } = this.parts;
    if (!toolbox.machine.undo?.()) this.parts.drawing.after(() => this.follow(history.undo(), "undone"));
  }

  redo(): void {
    const { toolbox, history } = this.parts;
    if (!toolbox.machine.redo?.()) this.parts.drawing.after(() => this.follow(history.redo(), "done again"));
  }

  /** A tool that works on an annotation makes one where none is in hand. */
  chooseTool(name: ToolName): void {
    const { toolbox, selection } = this.parts;
    const isReady = !toolNamed(name).needsAnnotation || selection.state.annotation !== null;
    if (!isReady && !this.makeAnnotation()) return;
    if (!isReady) this.onApproval = selection.state.annotation;
    this.goesOn = null;
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
    this.parts.drawing.after(() => history.forget(unused));
  }

  /** Label mode has no tools and nothing in hand. */
  toggleMode(): void {
    const { mode, toolbox, selection, ui } = this.parts;
    toolbox.conclude();
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

  /** An empty annotation, ready for the tool in use where it goes from one to the next, else the one remembered. */
  newAnnotation(categoryId?: number): void {
    const { toolbox } = this.parts;
    const { name } = toolbox.tool;
    const goesOn = name === "Keypoints" || name === "DEXTR" ? name : this.goesOn;
    if (!this.makeAnnotation(categoryId)) return;
    if (goesOn) toolbox.choose(goesOn);
    else toolbox.chooseRemembered();
  }

  /** All keypoints are placed: they can be moved now, and the next annotation gets its own. */
  endKeypoints(): void {
    this.chooseTool("Select");
    this.goesOn = "Keypoints";
  }

  /** A new annotation like the last one: its category, its tool. */
  repeat(): void {
    this.newAnnotation(this.parts.commands.lastCategory()?.id);
  }

  /**
   * The category at a place among the numbered ones, counted from 0. An annotation in hand goes into it, as one undo step; with none
   * in hand the category is current, so that the next annotation goes there. Either is said.
   */
  chooseCategory(place: number): void {
    const { document, selection, commands, ui } = this.parts;
    const category = document.category(document.state.numbered[place] ?? null);
    if (!category) {
      ui.say(`There is no category ${place + 1}`);
      return;
    }
    commands.rememberCategory(category.id);
    const target = selection.state.annotation;
    if (target !== null) this.parts.drawing.after(() => this.putInto(target, category));
    else {
      selection.selectCategory(category.id);
      ui.say(`New annotations go to ${category.name}`);
    }
  }

  private putInto(target: string, { id, name }: SceneCategory): void {
    const { selection, commands, layers, ui } = this.parts;
    commands.modify(target, { category_id: id }, "Category");
    if (selection.state.annotation === target) selection.selectAnnotation({ uuid: target, category_id: id });
    layers.expand(id, true);
    ui.say(`The annotation is now in ${name}`);
  }

  /** Returns true if there was a category for it; the user is notified either way. */
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

  /** Of the annotation in hand; to be moved or deleted. */
  selectKeypoint(label: number): void {
    this.chooseTool("Select");
    this.parts.selection.selectKeypoint(label);
  }

  /** The next click places this label. */
  placeKeypoint(label: number): void {
    const { keypoints, selection } = this.parts;
    this.chooseTool("Keypoints");
    selection.selectKeypoint(null);
    keypoints.startAt(label);
  }

  /** All keypoints that are not placed yet, to be moved where they belong; in a new annotation where none is in hand. */
  placeAllKeypoints(): void {
    const { toolbox, keypoints } = this.parts;
    this.chooseTool("Keypoints");
    if (toolbox.tool.name === "Keypoints") keypoints.placeAll(visibilityOfNew(toolbox.optionsOf(toolbox.tool)));
  }

  /** A point of what is being drawn, the selected keypoint, else the annotation in hand. */
  deleteInHand(): void {
    const { toolbox, selection, keypoints } = this.parts;
    if (toolbox.machine.takeBack?.() || keypoints.deleteSelected()) return;
    if (selection.state.annotation !== null) this.delete(selection.state.annotation);
  }

  /** With all that was drawn into it. */
  delete(uuid: string): void {
    const { drawing, commands } = this.parts;
    drawing.after(() => commands.delete(uuid));
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
    const why = NOT_SENT[status];
    if (why) tell("info", "Saved here", why);
    if (status === "not kept")
      tell("error", "Not saved", "This browser cannot save your work. Keep this tab open until the server has it.");
  }

  /** Decides a conflict, then looks at what the server has now. Where it refuses the same again, that is said. */
  async resolve(drafts: readonly Draft[], choice: Choice): Promise<void> {
    const { sink, reload, tell } = this.parts;
    await sink.resolve(drafts, choice);
    await sink.flush();
    const subjects = new Set(drafts.map(({ edit }) => subjectOf(edit)));
    const again = sink.state.getState().conflicts.find(({ edit }) => subjects.has(subjectOf(edit)));
    if (again) tell("info", "Not stored", isOfMissingImage([again]) ? STILL_MISSING : again.reason);
    await reload();
  }

  /** Along the list that the person came from. Where it ends, that is said. */
  go(to: "previous" | "next" | "next_not_annotated"): void {
    const { document, goTo, ui } = this.parts;
    const id = document.state.image[to];
    if (id === null) ui.say(LIST_ENDS[to]);
    else goTo(id);
  }

  private follow(outcome: Outcome, done: string): void {
    const { document, selection, layers, mode, tell, ui } = this.parts;
    if (outcome.kind === "refused") tell("info", `Cannot be ${done}`, "Another user has changed it since.");
    if (outcome.kind !== "done") return;
    const touched = new Set(outcome.touched.flatMap((edit) => (edit.subject === "annotation" ? [edit.target] : [])));
    // The change may be out of sight: labels in segment mode, a setting.
    if (touched.size === 0) ui.say(`${outcome.step.name}: ${outcome.step.action} ${done}`);
    if (mode.mode === "label") return;
    const [only] = touched.size === 1 ? [...touched] : [];
    const annotation = document.annotation(only ?? null);
    if (!annotation) return;
    selection.selectAnnotation(annotation);
    layers.reveal(annotation);
  }
}
