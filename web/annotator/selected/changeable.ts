import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import { lockedText } from "../document/locks";
import type { Ui } from "../state/ui";
import type { Selecting } from "./Selecting";

/** Message to a user whose command needs a selected annotation. */
export const noneSelectedText = () => t`Select an annotation first`;

/**
 * Returns those of the annotations, by default of the selected ones, that are not locked. If there are none, shows a
 * message with the reason.
 */
export function requireChangeable(
  { selecting, ui }: { selecting: Selecting; ui: Ui },
  annotations: readonly Annotation[] = selecting.annotations,
): Annotation[] {
  const changeable = selecting.changeableOf(annotations);
  if (changeable.length === 0) ui.showMessage(annotations.length > 0 ? lockedText() : noneSelectedText());
  return changeable;
}

/** Returns a message about changed annotations that also names the number of selected ones that are locked. */
export const withLocked = (changed: string, locked: number): string =>
  locked > 0 ? t`${changed}, ${locked} locked` : changed;
