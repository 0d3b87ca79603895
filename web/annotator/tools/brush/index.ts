import { t } from "@lingui/core/macro";
import { Brush } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { Options } from "../painting/Options";
import { type PaintOptions, paintOptions, resized } from "../painting/options";
import { PaintTool } from "../painting/PaintTool";

export const brush: ToolDefinition<PaintOptions> = {
  name: "Brush",
  get label() {
    return t`Brush`;
  },
  preference: "brush",
  keys: ["b"],
  icon: Brush,
  cursor: "none",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Drag to paint; hold Alt to erase. [ and ] change the radius.`;
  },
  draws: "polygon",
  remembered: true,
  defaults: parseOptions(paintOptions, {}),
  parse: (stored) => parseOptions(paintOptions, stored),
  resize: resized,
  create: (context) => new PaintTool(context, "brush", "unite"),
  Panel: Options,
};
