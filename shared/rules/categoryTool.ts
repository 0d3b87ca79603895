import type { Metadata } from "../entities/scalars";

/** Names of the tools that a category may choose for its new annotations. */
export const CATEGORY_TOOLS = [
  "BBox",
  "Rotated Box",
  "Polygon",
  "Scissors",
  "Ellipse",
  "Line",
  "Keypoints",
  "Brush",
  "Magic Wand",
  "DEXTR",
] as const;
export type CategoryTool = (typeof CATEGORY_TOOLS)[number];

/** Key of a category's metadata under which the tool is stored. */
const KEY = "tool";

/** Returns the tool that a category chooses for its new annotations; null if it chooses none. */
export function toolOfCategory({ metadata }: { metadata?: Metadata | null }): CategoryTool | null {
  const name = metadata?.[KEY];
  return CATEGORY_TOOLS.find((tool) => tool === name) ?? null;
}

/** Returns the metadata of a new category with a tool. */
export const metadataWithTool = (tool: CategoryTool): Metadata => ({ [KEY]: tool });

/** Returns the change of a category's metadata that sets another tool, and no other entry; null removes it. */
export const toolChange = (tool: CategoryTool | null): { set_metadata: Metadata } | { remove_metadata: string[] } =>
  tool ? { set_metadata: { [KEY]: tool } } : { remove_metadata: [KEY] };
