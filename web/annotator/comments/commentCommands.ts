import { t } from "@lingui/core/macro";
import type { Command } from "../keyboard/shortcuts";
import type { Comments } from "./Comments";

/** Command that lets the next click on the image begin a thread. */
export const commentCommand = (comments: Comments): Command => ({
  id: "comment",
  name: t`Comment on a Place or an Annotation`,
  group: "General",
  keys: [["y"]],
  run: () => comments.togglePlacing(),
});
