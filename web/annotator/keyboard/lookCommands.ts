import type { Command } from "./shortcuts";

/** Commands that change nothing, besides those of the group "View". Any other command counts as one that does. */
const LOOK: ReadonlySet<string> = new Set([
  ...["tool Select", "cancel", "cursor", "up", "down", "expand", "collapse", "label up", "label down"],
  ...["save", "search", "mode", "center", "next", "next not annotated", "previous", "go to", "palette", "help"],
  ...["show all", "hide all", "hide selected", "select all", "select category", "invert selection", "copy", "history"],
  ...["next annotation", "previous annotation", "annotation settings", "image settings"],
]);

/** Returns true for a command that users run who may look at the image but not change it. */
export const isLook = ({ id, group }: Pick<Command, "id" | "group">): boolean => group === "View" || LOOK.has(id);
