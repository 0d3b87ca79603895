import { t } from "@lingui/core/macro";
import { MapPin } from "lucide-react";
import { parseOptions } from "../common/options";
import type { ToolDefinition } from "../common/tool";
import { KeypointsTool } from "./KeypointsTool";
import { Options } from "./Options";
import { type KeypointOptions, keypointOptions } from "./options";

export const keypoints: ToolDefinition<KeypointOptions> = {
  name: "Keypoints",
  get label() {
    return t`Keypoints`;
  },
  preference: "keypoints",
  keys: ["k"],
  icon: MapPin,
  cursor: "crosshair",
  showsVertices: false,
  needsAnnotation: true,
  get hint() {
    return t`Click to place the next keypoint, Shift+click to place it as hidden. Drag a keypoint to move it; click two to connect or disconnect them.`;
  },
  draws: null,
  remembered: false,
  defaults: parseOptions(keypointOptions, {}),
  parse: (stored) => parseOptions(keypointOptions, stored),
  create: (context) => new KeypointsTool(context),
  Panel: Options,
};
