import { bbox } from "./bbox";
import { brush } from "./brush";
import type { ToolDefinition, ToolName } from "./common/tool";
import { dextr } from "./dextr";
import { eraser } from "./eraser";
import { keypoints } from "./keypoints";
import { polygon } from "./polygon";
import { select } from "./select";
import { wand } from "./wand";

/**
 * The tools in the order of the toolbar. A tool is a folder and a line here; toolbar, keys, preferences and help read
 * this list. Options differ from tool to tool: each parses its own, so the list may forget their types.
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
] as unknown as readonly ToolDefinition[];

export function toolNamed(name: ToolName): ToolDefinition {
  return tools.find((tool) => tool.name === name) ?? tools[0]!;
}
