import { t } from "@lingui/core/macro";
import { MousePointer2 } from "lucide-react";
import { z } from "zod";
import { flagOption, parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { Options } from "./Options";
import { type SelectOptions, SelectTool } from "./SelectTool";

const schema = z.object({ showText: flagOption(true), lasso: flagOption(false) });

export const select: ToolDefinition<SelectOptions> = {
  name: "Select",
  get label() {
    return t({ message: "Select", context: "tool" });
  },
  preference: "select",
  keys: ["s"],
  icon: MousePointer2,
  cursor: "default",
  showsVertices: true,
  needsAnnotation: false,
  get hint() {
    return t`Click a shape to select it, or again to select the one beneath. Drag a box around several shapes, or a loop with Alt. Drag a selected shape, its points or its outline. Shift+click adds a shape or deletes a point.`;
  },
  draws: null,
  remembered: false,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new SelectTool(context),
  Panel: Options,
};
