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
  preference: "line",
  keys: ["shift", "y"],
  icon: Spline,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  hint: "Click the points of a line and press Enter or double-click, or drag a straight line. Each line becomes an annotation.",
  draws: "figure",
  remembered: true,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new LineTool(context),
  Panel: optionsPanel("Finish Line"),
};
