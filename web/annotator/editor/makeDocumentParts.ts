import { Commands } from "../document/commands";
import { AnnotatorDocument } from "../document/document";
import { History } from "../document/history";
import { Labels } from "../document/labelMode";
import { Layers } from "../document/layers";
import { Locks, lockedText, readOnlyText } from "../document/locks";
import { rememberedCategory } from "../preferences/lastCategory";
import { Settings } from "../preferences/settings";
import type { Search } from "../state/search";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { journalEdits } from "../sync/journalEdits";
import { Navigation } from "../tree/navigation";
import type { EditorParts } from "./editorParts";

interface Base {
  selection: Selection;
  search: Search;
  ui: Ui;
}

/** Creates the document with the pending edits, and the parts that read and change it without a canvas. */
export function makeDocumentParts(parts: EditorParts, { selection, search, ui }: Base) {
  const { scene, sink } = parts;
  const document = new AnnotatorDocument(scene, parts.username);
  document.addPendingEdits(parts.pendingEdits);
  // The journal must be the first listener, so that edits are stored even if a later listener throws.
  const stopJournalling = journalEdits(document, sink, parts);
  const layers = new Layers(document);
  const locks = new Locks(scene.image.id);
  document.guard((edits, origin) => {
    const isLocked = origin === "local" && edits.some((edit) => locks.forbids(edit));
    if (document.isReadOnly) ui.showMessage(readOnlyText());
    else if (isLocked) ui.showMessage(lockedText());
    return document.isReadOnly || isLocked;
  });
  const history = new History(document);
  const commands = new Commands({ document, history, selection, lastCategory: rememberedCategory(scene.dataset.id) });
  const settings = new Settings(scene.preferences, (preferences) => void sink.recordPreferences(preferences));
  return {
    document,
    stopJournalling,
    layers,
    locks,
    history,
    commands,
    navigation: new Navigation(document, selection, layers, search, () => settings.state.listOrder),
    settings,
    labels: new Labels({ document, commands, search, showMessage: (text) => ui.showMessage(text) }),
  };
}
