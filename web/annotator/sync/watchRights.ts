import { t } from "@lingui/core/macro";
import type { AnnotatorDocument } from "../document/document";
import { readOnlyText } from "../document/locks";
import type { Notify } from "../document/ports";

interface Ports {
  document: AnnotatorDocument;
  sketch: { setLeaving(isLeaving: boolean): void };
  toolbox: { choose(tool: "Select"): void };
  simplifying: { cancel(): boolean };
  creating: { continueSketch(): void };
  notify: Notify;
}

/**
 * Notifies the user when the open image becomes read-only or editable, because the user's role in the dataset has
 * changed. An unfinished outline is kept in this browser until it can be continued. Returns a function that stops this.
 */
export function watchRights({ document, sketch, toolbox, simplifying, creating, notify }: Ports): () => void {
  const allow = () => {
    sketch.setLeaving(false);
    notify("info", t`Your role has changed`, t`You can change this dataset now.`);
    creating.continueSketch();
  };
  const forbid = () => {
    sketch.setLeaving(true);
    simplifying.cancel();
    toolbox.choose("Select");
    notify("info", t`Your role has changed`, readOnlyText());
  };
  return document.store.subscribe((now, before) => {
    const { edit } = now.permissions.dataset;
    // Afterwards, because the document is being replaced.
    if (edit !== before.permissions.dataset.edit) queueMicrotask(edit ? allow : forbid);
  });
}
