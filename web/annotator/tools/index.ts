import { bbox } from "./bbox";
import { polygon } from "./polygon";
import { select } from "./select";
import type { ToolDefinition, ToolName } from "./tool";

/**
 * The tools in the order of the toolbar. A tool is a folder and a line here; toolbar, keys, preferences and help read
 * this list. Options differ from tool to tool: each parses its own, so the list may forget their types.
 */
export const tools = [select, bbox, polygon] as unknown as readonly ToolDefinition[];

export function toolNamed(name: ToolName): ToolDefinition {
  return tools.find((tool) => tool.name === name) ?? tools[0]!;
}
