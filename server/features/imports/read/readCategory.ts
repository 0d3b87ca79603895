import { type AttributeDefinition, attributeDefinitions } from "../../../../shared/entities/attribute";
import { categoryName } from "../../../../shared/entities/category";
import { color, type Json, type Metadata, metadata, text, writtenLength } from "../../../../shared/entities/scalars";
import { type FileId, type Item, idOf, Unusable } from "./readItem";
import { unknownKeys } from "./unknownKeys";

/**
 * A category of a COCO file. Colour, metadata, attributes and supercategory are used only if a category is created for
 * it.
 */
export interface ReadCategory {
  fileId: FileId;
  name: string;
  supercategory: string;
  color: string | undefined;
  metadata: Metadata;
  keypoints: ReadDefinition | null;
  attributes: AttributeDefinition[];
  /** Unknown keys, which exports of this dataset include. */
  extra: { [key: string]: Json } | null;
}

/** Keys of categories, and keys of older files that have no meaning here. */
const KNOWN: ReadonlySet<string> = new Set([
  "id",
  "name",
  "supercategory",
  "color",
  "metadata",
  "keypoints",
  "skeleton",
  "keypoint_colors",
  "keypoint_labels",
  "keypoint_edges",
  "creator",
  "deleted",
  "deleted_date",
]);
/** Known keys of a category whose attributes have the form in which Limn writes them. Others stay an unknown key. */
const KNOWN_WITH_ATTRIBUTES: ReadonlySet<string> = new Set([...KNOWN, "attributes"]);
/** Maximum JSON length of a category's unknown keys, since ten thousand categories are in memory at once. */
const MAX_EXTRA_LENGTH = 5000;

/** Keypoint definition with distinct label names. Edges are pairs of 1-based label numbers. */
export interface ReadDefinition {
  labels: string[];
  edges: [number, number][];
  colors: string[];
}

const MAX_LABELS = 1000;
const label = text(200);

/** Reads a category. `note` receives a text for each part that was changed or left out. Throws Unusable. */
export function readCategory(item: Item, fileText: string, note: (text: string) => void): ReadCategory {
  const fileId = idOf(item, "id", fileText);
  if (fileId === undefined) throw new Unusable("has no id");
  const name = categoryName.safeParse(typeof item.name === "number" ? String(item.name) : item.name);
  if (!name.success) throw new Unusable("has no usable name");
  const supercategory = text(200).safeParse(item.supercategory);
  const shade = color.safeParse(item.color);
  const more = metadata.nullish().safeParse(item.metadata);
  if (!more.success) note("metadata cannot be stored, and was left out");
  const attributes = attributeDefinitions.safeParse(item.attributes);
  return {
    fileId,
    name: name.data.trim(),
    supercategory: supercategory.success ? supercategory.data.trim() : "",
    color: shade.success ? shade.data : undefined,
    metadata: (more.data ?? {}) as Metadata,
    keypoints: readDefinition(item, note),
    attributes: attributes.data ?? [],
    extra: readExtra(item, attributes.success ? KNOWN_WITH_ATTRIBUTES : KNOWN, note),
  };
}

function readExtra(item: Item, known: ReadonlySet<string>, note: (text: string) => void): ReadCategory["extra"] {
  const { kept, dropped } = unknownKeys(item, known);
  const isLong = writtenLength(kept) > MAX_EXTRA_LENGTH;
  if (dropped || isLong) note("has unknown keys that cannot be stored, which were left out");
  return isLong ? null : kept;
}

function readDefinition(item: Item, note: (text: string) => void): ReadDefinition | null {
  const { keypoints } = item;
  if (!Array.isArray(keypoints) || keypoints.length === 0) return null;
  if (keypoints.length > MAX_LABELS) {
    note(`has more than ${MAX_LABELS} keypoint labels, which were left out`);
    return null;
  }
  const labels = distinctNames(keypoints);
  if (labels.some((name, i) => name !== keypoints[i])) note("has keypoint labels without a unique name");
  return { labels, edges: readEdges(item.skeleton, labels.length, note), colors: readColors(item.keypoint_colors) };
}

/** Returns distinct names: replaces empty, invalid and repeated names, in the same way each time. */
function distinctNames(names: unknown[]): string[] {
  const taken = new Set<string>();
  return names.map((given, i) => {
    const read = label.safeParse(given);
    const base = read.success && read.data.trim() !== "" ? read.data : `keypoint ${i + 1}`;
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base.slice(0, 190)} (${n})`;
    taken.add(name);
    return name;
  });
}

function readEdges(skeleton: unknown, labels: number, note: (text: string) => void): [number, number][] {
  if (skeleton === undefined || skeleton === null) return [];
  if (!Array.isArray(skeleton)) {
    note("has a skeleton that is not a list");
    return [];
  }
  const isEnd = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= labels;
  const edges = skeleton.filter(
    (edge): edge is [number, number] => Array.isArray(edge) && edge.length === 2 && edge.every(isEnd),
  );
  if (edges.length < skeleton.length) note("has edges between labels that do not exist, which were left out");
  return edges.slice(0, 10_000);
}

function readColors(colors: unknown): string[] {
  if (!Array.isArray(colors)) return [];
  return colors.slice(0, MAX_LABELS).map((value) => color.safeParse(value).data ?? "");
}
