import type { Metadata } from "../entities/scalars";

/** Tools with which annotations of a category can begin, by their names. */
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

/** Key of the metadata that has the tool. */
const KEY = "tool";

/** Returns the tool with which new annotations of a category begin; null for any. */
export function toolOfCategory({ metadata }: { metadata?: Metadata | null }): CategoryTool | null {
  const name = metadata?.[KEY];
  return CATEGORY_TOOLS.find((tool) => tool === name) ?? null;
}

/** Returns a category's metadata with another tool; null removes it. */
export function metadataWithTool(metadata: Metadata | null | undefined, tool: CategoryTool | null): Metadata {
  const { [KEY]: _, ...others } = metadata ?? {};
  return tool ? { ...others, [KEY]: tool } : others;
}
