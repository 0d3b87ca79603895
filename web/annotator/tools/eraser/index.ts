import { t } from "@lingui/core/macro";
import { Eraser } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { Options } from "../painting/Options";
import { type PaintOptions, paintOptions, resized } from "../painting/options";
import { PaintTool } from "../painting/PaintTool";

export const eraser: ToolDefinition<PaintOptions> = {
  name: "Eraser",
  get label() {
    return t`Eraser`;
  },
  preference: "eraser",
  keys: ["e"],
  icon: Eraser,
  cursor: "none",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Drag to erase; hold Shift to paint. [ and ] change the radius.`;
  },
  draws: "polygon",
  removes: true,
  remembered: true,
  defaults: parseOptions(paintOptions, {}),
  parse: (stored) => parseOptions(paintOptions, stored),
  resize: resized,
  create: (context) => new PaintTool(context, "eraser", "subtract"),
  Panel: Options,
};
