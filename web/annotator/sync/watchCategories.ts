import { t } from "@lingui/core/macro";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { Notify } from "../document/ports";

interface Ports {
  document: AnnotatorDocument;
  commands: Pick<Commands, "chosenCategory">;
  selection: { readonly state: { readonly annotation: string | null }; selectCategory(category: null): void };
  /** Returns true if nothing was drawn into the annotation, and nothing is being drawn. */
  isUnused(uuid: string): boolean;
  toolbox: { readonly tool: { readonly needsAnnotation?: boolean }; choose(tool: "Select"): void };
  notify: Notify;
}

/**
 * Notifies the user when the category of new annotations was deleted or removed from the dataset, and leaves the tool
 * that would create them, because it would continue with another category. Returns a function that stops this.
 */
export function watchCategories({ document, commands, selection, isUnused, toolbox, notify }: Ports): () => void {
  return document.store.subscribe((now, before) => {
    if (now.categories === before.categories) return;
    const chosen = commands.chosenCategory();
    const gone = before.categories.find(({ id }) => id === chosen);
    if (!gone || now.categories.some(({ id }) => id === chosen)) return;
    // Afterwards, because the document is being replaced.
    queueMicrotask(() => {
      const { annotation } = selection.state;
      if (annotation === null || isUnused(annotation)) {
        if (toolbox.tool.needsAnnotation) toolbox.choose("Select");
        selection.selectCategory(null);
      }
      const { name } = gone;
      const message = t`The category “${name}” was deleted or removed from the dataset. Choose the category of new annotations.`;
      notify("info", t`Category removed`, message);
    });
  });
}
