import { msg, t } from "@lingui/core/macro";
import { Spline } from "lucide-react";
import { z } from "zod";
import { parseOptions, strokeOptions } from "../common/options";
import type { StrokeOptions } from "../common/ports";
import type { ToolDefinition } from "../common/tool";
import { optionsPanel } from "../points/Options";
import { LineTool } from "./LineTool";

const schema = z.object(strokeOptions);

export const line: ToolDefinition<StrokeOptions> = {
  name: "Line",
  get label() {
    return t({ message: "Line", context: "tool" });
  },
  preference: "line",
  keys: ["shift", "y"],
  icon: Spline,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Click the points of a line and press Enter or double-click, or drag a straight line. Each line becomes an annotation.`;
  },
  draws: "figure",
  remembered: true,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new LineTool(context),
  Panel: optionsPanel(msg`Finish Line`),
};
