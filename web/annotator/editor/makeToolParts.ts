import { t } from "@lingui/core/macro";
import { type ActionParts, Actions } from "../actions/actions";
import { CategoryActions } from "../actions/categoryActions";
import { Creating } from "../actions/creating";
import { ImageProgress } from "../actions/imageProgress";
import { Saving } from "../actions/saving";
import { Toolbox } from "../actions/toolbox";
import { Undoing } from "../actions/undoing";
import { Clipboard } from "../clipboard/Clipboard";
import { PreviousImage } from "../clipboard/PreviousImage";
import { Propagation } from "../clipboard/Propagation";
import { AnnotatorDocument } from "../document/document";
import type { Pixels } from "../drawing/pixels";
import { ShapeOperations } from "../drawing/shapeOperations";
import { Simplifying } from "../drawing/simplifying";
import type { Settings } from "../preferences/settings";
import { Outlining } from "../selected/Outlining";
import { SelectedAttributes } from "../selected/SelectedAttributes";
import { SelectedCommands } from "../selected/SelectedCommands";
import { Selecting } from "../selected/Selecting";
import { Stacking } from "../selected/Stacking";
import { recordEdits } from "../sync/journalEdits";
import { Sessions } from "../sync/sessions";
import type { EditorParts } from "./editorParts";
import { type ToolPortParts, toolPorts } from "./toolPorts";

type Base = Pick<
  ToolPortParts,
  "document" | "history" | "selection" | "layers" | "locks" | "outlines" | "shapes" | "view" | "commands" | "drawing"
> &
  Pick<ToolPortParts, "keypoints" | "display" | "sketch" | "stage" | "isSnapping"> &
  Pick<ActionParts, "mode" | "search" | "ui"> & { pixels: Pixels; settings: Settings };

/** Creates the toolbox with the tools' ports, the actions that work with it, and the record of working time. */
export function makeToolParts(parts: EditorParts, base: Base) {
  const { scene, sink, username, notify, compute } = parts;
  const { ui, pixels } = base;
  const operations = new ShapeOperations({ ...base, compute, ui });
  const simplifying = new Simplifying({
    ...base,
    compute,
    notify,
    preview: (rings) => base.display.showPreview(rings),
    tolerance: () => base.settings.state.simplify,
  });
  const selecting = new Selecting(base);
  const selected = new SelectedCommands({ ...base, selecting });
  const attributes = new SelectedAttributes({ ...base, selecting });
  const stacking = new Stacking({ ...base, selecting });
  const ports = toolPorts({
    ...base,
    selecting,
    selected,
    onDraft: (isDrawing) => ui.setDrawing(isDrawing),
    openSettings: (uuid) => ui.open({ kind: "annotation", uuid }),
    onNext: (categoryId) => void creating.createAnnotation(categoryId),
    onRefined: () => outlining.endRefinement(),
    onRemark: (text) => ui.showMessage(text),
    onJoinedBox: () =>
      ui.showMessage(t`The outline was added to the selected box. Begin a new annotation for another object.`),
    onDiscarded: () => ui.showMessage(t`Unfinished outline discarded. Undo restores it.`),
    onNoCategory: () => ui.askForCategory(),
    onNothingToCut: () => ui.showMessage(t`Select a shape to cut from`),
    operations,
    isSnapping: base.isSnapping,
    showsCreator: username !== null,
    scissors: pixels.scissors,
    wand: pixels.wand,
    dextr: pixels.dextr,
    notify,
  });
  const toolbox = new Toolbox(
    ports,
    scene.preferences,
    (preference, options) => void sink.recordPreferences({ [preference]: { ...options } }),
    () => !base.document.isReadOnly,
  );
  const creating: Creating = new Creating({ ...base, toolbox });
  const undoing = new Undoing({ ...base, toolbox, selecting, creating, notify });
  const saving = new Saving({ ...base, imageId: scene.image.id, sink, notify, reload: parts.reload });
  const actions = new Actions({ ...base, toolbox, creating, simplifying, selecting, selected, goTo: parts.goTo });
  const outlining = new Outlining({ ...base, selecting, toolbox, dextr: pixels.dextr, notify });
  const categories = new CategoryActions(base, (name) => creating.chooseTool(name));
  const progress = new ImageProgress({
    ...base,
    ...{ list: parts.list, queue: parts.queue, goTo: parts.goTo, notify },
    flush: () => sink.flush(),
  });
  const copying = { ...base, selecting, selected, notify, clipboard: parts.clipboard };
  const clipboard = new Clipboard(copying);
  const previousImage = new PreviousImage({ ...copying, loadScene: parts.loadScene, trace: compute.trace });
  const propagation = new Propagation({
    ...copying,
    list: parts.list,
    last: parts.lastPropagation,
    others: {
      load: async (id) => new AnnotatorDocument(await parts.loadScene(id), username),
      record: (document, edits) => recordEdits(document, edits, sink),
    },
  });
  const sessions = new Sessions({
    imageId: scene.image.id,
    tool: () => toolbox.tool.name,
    record: (session) => void sink.recordSession(session),
  });
  const shapes = { operations, simplifying, outlining, selecting, selected, attributes, stacking };
  const own = { ...shapes, clipboard, previousImage, propagation, progress };
  return { toolbox, actions, creating, undoing, saving, categories, sessions, ...own };
}
