import { t } from "@lingui/core/macro";
import type { Command } from "../../keyboard/shortcuts";
import type { Ui } from "../../state/ui";
import type { ImageProgress, ReviewRole } from "../imageProgress";

/** Commands that move the image to another stage, or open an image by its number in the list. */
export function progressCommands(progress: ImageProgress, ui: Ui): Command[] {
  const group = "General";
  const names: Record<ReviewRole, { next: string; toggle: string }> = {
    plain: { next: t`Done and Next Image`, toggle: t`Mark or Unmark as Done` },
    annotator: { next: t`Submit and Next Image`, toggle: t`Submit, or Take Back` },
    reviewer: { next: t`Accept and Next Image`, toggle: t`Accept, or Reopen` },
  };
  const { next, toggle } = names[progress.role];
  const returning: Command = {
    id: "return next",
    name: t`Return and Next Image`,
    group,
    keys: [["control", "shift", "enter"]],
    run: () => progress.returnAndNext(),
  };
  const skipping: Command = { id: "skip", name: t`Skip Image`, group, keys: [], run: () => progress.skip() };
  return [
    { id: "done next", name: next, group, keys: [["control", "enter"]], run: () => progress.doneAndNext() },
    ...(progress.role === "reviewer" ? [returning] : []),
    ...(progress.isQueued ? [skipping] : []),
    { id: "done", name: toggle, group, keys: [["shift", "d"]], run: () => progress.toggleDone() },
    { id: "go to", name: t`Go to Image Number`, group, keys: [["shift", "i"]], run: () => ui.askForNumber(true) },
  ];
}
