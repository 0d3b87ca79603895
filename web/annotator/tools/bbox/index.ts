import { Square } from "lucide-react";
import { z } from "zod";
import { parseOptions, strokeOptions } from "../common/options";
import type { StrokeOptions } from "../common/ports";
import type { ToolDefinition } from "../common/tool";
import { BBoxTool } from "./BBoxTool";
import { Options } from "./Options";

const schema = z.object(strokeOptions);

export const bbox: ToolDefinition<StrokeOptions> = {
  name: "BBox",
  preference: "bbox",
  key: "r",
  icon: Square,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  hint: "Drag, or click two corners. Hold Alt to cut the box out of the shape, Shift to add it.",
  draws: "bbox",
  remembered: true,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new BBoxTool(context),
  Panel: Options,
};
