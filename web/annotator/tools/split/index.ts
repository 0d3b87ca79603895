import { msg, t } from "@lingui/core/macro";
import { Slice } from "lucide-react";
import { z } from "zod";
import { parseOptions, strokeOptions } from "../common/options";
import type { StrokeOptions } from "../common/ports";
import type { ToolDefinition } from "../common/tool";
import { optionsPanel } from "../points/Options";
import { SplitTool } from "./SplitTool";

const schema = z.object(strokeOptions);

export const split: ToolDefinition<StrokeOptions> = {
  name: "Split",
  get label() {
    return t({ message: "Split", context: "tool" });
  },
  preference: "split",
  keys: ["i"],
  icon: Slice,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: false,
  get hint() {
    return t`Drag a line across the selected shape, or click the line's points and press Enter. Each part becomes an annotation.`;
  },
  draws: null,
  remembered: false,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new SplitTool(context),
  Panel: optionsPanel(msg`Split`),
};
