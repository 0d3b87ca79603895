import { t } from "@lingui/core/macro";
import { WandSparkles } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { Options } from "./Options";
import { type WandOptions, wandOptions } from "./options";
import { WandTool } from "./WandTool";

export const wand: ToolDefinition<WandOptions> = {
  name: "Magic Wand",
  get label() {
    return t`Magic Wand`;
  },
  preference: "magicwand",
  keys: ["w"],
  icon: WandSparkles,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Click or drag over a colour to add its region. Hold Shift or Alt to subtract.`;
  },
  draws: "polygon",
  remembered: true,
  defaults: parseOptions(wandOptions, {}),
  parse: (stored) => parseOptions(wandOptions, stored),
  create: (context) => new WandTool(context),
  Panel: Options,
};
