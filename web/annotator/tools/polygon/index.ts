import { t } from "@lingui/core/macro";
import { PenTool } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { Options } from "./Options";
import { type PolygonOptions, polygonOptions } from "./options";
import { PolygonTool } from "./PolygonTool";

export const polygon: ToolDefinition<PolygonOptions> = {
  name: "Polygon",
  get label() {
    return t`Polygon`;
  },
  preference: "polygon",
  keys: ["v"],
  icon: PenTool,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Click to add points, or drag to draw free-hand. Close with Enter, a double click, or a click on the first point. Begin with Alt to cut out.`;
  },
  draws: "polygon",
  remembered: true,
  defaults: parseOptions(polygonOptions, {}),
  parse: (stored) => parseOptions(polygonOptions, stored),
  create: (context) => new PolygonTool(context),
  Panel: Options,
};
