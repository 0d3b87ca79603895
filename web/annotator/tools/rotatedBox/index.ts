import { msg, t } from "@lingui/core/macro";
import { Diamond } from "lucide-react";
import { z } from "zod";
import { parseOptions, strokeOptions } from "../common/options";
import type { StrokeOptions } from "../common/ports";
import type { ToolDefinition } from "../common/tool";
import { optionsPanel } from "../corners/Options";
import { RotatedBoxTool } from "./RotatedBoxTool";

const schema = z.object(strokeOptions);

export const rotatedBox: ToolDefinition<StrokeOptions> = {
  name: "Rotated Box",
  get label() {
    return t`Rotated Box`;
  },
  preference: "rotatedbox",
  keys: ["shift", "b"],
  icon: Diamond,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Drag along one side of the object, or click the side's two ends, then click on the opposite side. Begin with Alt to cut out, with Shift to add to the shape.`;
  },
  draws: "figure",
  remembered: true,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new RotatedBoxTool(context),
  Panel: optionsPanel(msg`Delete Box`),
};
