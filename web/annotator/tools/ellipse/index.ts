import { msg, t } from "@lingui/core/macro";
import { Circle } from "lucide-react";
import { z } from "zod";
import { ellipseRing } from "../../../../shared/geometry/forms/ellipse";
import { parseOptions, strokeOptions } from "../common/options";
import type { StrokeOptions } from "../common/ports";
import type { ToolDefinition } from "../common/tool";
import { CornersTool, type Form } from "../corners/CornersTool";
import { optionsPanel } from "../corners/Options";

const schema = z.object(strokeOptions);
const FORM: Form = { name: "ellipse", kind: "figure", ring: (a, b) => ellipseRing(a.x, a.y, b.x, b.y) };

export const ellipse: ToolDefinition<StrokeOptions> = {
  name: "Ellipse",
  get label() {
    return t`Ellipse`;
  },
  preference: "ellipse",
  keys: ["shift", "e"],
  icon: Circle,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Drag, or click two corners of the box around the ellipse. Shift pressed after the first corner makes a circle. Begin with Alt to cut out, with Shift to add to the shape.`;
  },
  draws: "figure",
  remembered: true,
  defaults: parseOptions(schema, {}),
  parse: (stored) => parseOptions(schema, stored),
  create: (context) => new CornersTool(context, FORM),
  Panel: optionsPanel(msg`Delete Ellipse`),
};
