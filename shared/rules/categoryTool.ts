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

/** Returns a category's metadata with another tool; null removes it. */
export function metadataWithTool(metadata: Metadata | null | undefined, tool: CategoryTool | null): Metadata {
  const { [KEY]: _, ...others } = metadata ?? {};
  return tool ? { ...others, [KEY]: tool } : others;
}
