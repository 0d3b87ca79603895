import { t } from "@lingui/core/macro";
import { Scissors } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { Options } from "./Options";
import { type ScissorsOptions, scissorsOptions } from "./options";
import { ScissorsTool } from "./ScissorsTool";

export const scissors: ToolDefinition<ScissorsOptions> = {
  name: "Scissors",
  get label() {
    return t`Scissors`;
  },
  preference: "scissors",
  keys: ["shift", "p"],
  icon: Scissors,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Click along an object: the line follows its border. Hold Shift for a straight line. Close with Enter, a double click, or a click on the first point. Begin with Alt to cut out.`;
  },
  draws: "polygon",
  remembered: true,
  defaults: parseOptions(scissorsOptions, {}),
  parse: (stored) => parseOptions(scissorsOptions, stored),
  create: (context) => new ScissorsTool(context),
  Panel: Options,
};
