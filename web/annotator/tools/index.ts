import { bbox } from "./bbox";
import { brush } from "./brush";
import type { ToolDefinition, ToolName } from "./common/tool";
import { dextr } from "./dextr";
import { ellipse } from "./ellipse";
import { eraser } from "./eraser";
import { keypoints } from "./keypoints";
import { line } from "./line";
import { polygon } from "./polygon";
import { rotatedBox } from "./rotatedBox";
import { scissors } from "./scissors";
import { select } from "./select";
import { split } from "./split";
import { wand } from "./wand";

/**
 * The tools in toolbar order. Toolbar, keys, preferences and help read this list; a new tool is a folder and a line
 * here. Option types differ between tools; since each tool parses its own options, the list does not need to know them.
 */
export const tools = [
  select,
  bbox,
  polygon,
  wand,
  brush,
  eraser,
  keypoints,
  dextr,
  scissors,
  ellipse,
  rotatedBox,
  line,
  split,
] as unknown as readonly ToolDefinition[];

export function toolNamed(name: ToolName): ToolDefinition {
  return tools.find((tool) => tool.name === name) ?? tools[0]!;
}
