import { msg, t } from "@lingui/core/macro";
import { Square } from "lucide-react";
import { z } from "zod";
import { parseOptions, strokeOptions } from "../common/options";
import type { StrokeOptions } from "../common/ports";
import type { ToolDefinition } from "../common/tool";
import { CornersTool } from "../corners/CornersTool";
import { optionsPanel } from "../corners/Options";
import { boxRing } from "./boxRing";

const schema = z.object(strokeOptions);

export const bbox: ToolDefinition<StrokeOptions> = {
  name: "BBox",
  get label() {
    return t`BBox`;
  },
  preference: "bbox",
  keys: ["r"],
  icon: Square,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Drag, or click two corners. Begin with Alt to cut the box out of the shape, with Shift to add it. Shift pressed after the first corner makes a square.`;
  },
  draws: "bbox",
  remembered: true,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new CornersTool(context, { name: "bbox", kind: "bbox", ring: boxRing }),
  Panel: optionsPanel(msg`Delete BBox`),
};
