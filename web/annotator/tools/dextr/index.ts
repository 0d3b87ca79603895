import { t } from "@lingui/core/macro";
import { Crosshair } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { DextrTool } from "./DextrTool";
import { Options } from "./Options";
import { type DextrOptions, dextrOptions } from "./options";

export const dextr: ToolDefinition<DextrOptions, DextrTool> = {
  name: "DEXTR",
  label: "DEXTR",
  preference: "dextr",
  keys: ["d"],
  icon: Crosshair,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Click the four extreme points of an object (top, left, bottom, right), in any order. Begin with Alt to cut it out of the shape, with Shift to add it. Then click outside the outline to add to it, with Alt to take away.`;
  },
  draws: "polygon",
  remembered: false,
  defaults: parseOptions(dextrOptions, {}),
  parse: (stored) => parseOptions(dextrOptions, stored),
  create: (context) => new DextrTool(context),
  Panel: Options,
};
