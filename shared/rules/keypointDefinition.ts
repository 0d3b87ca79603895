import { KEYPOINT_PALETTE } from "../constants";
import { type KeypointDefinition, type KeypointLabel, keypointDefinition } from "../entities/keypoint";
import { color } from "../entities/scalars";
import { MAX_LABEL_ID, newLabelIds } from "./newLabelIds";

/**
 * Converts a category's keypoints between the API's form (labels, edges as pairs of 1-based label numbers, colours) and
 * the stored form (labels with permanent ids, so that renaming and reordering change no annotation).
 */

/** Error for an invalid definition; `path` is the key in the request. */
export class KeypointError extends Error {
  override name = "KeypointError";
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}

export interface WireKeypoints {
  keypoint_labels: string[];
  keypoint_edges: [number, number][];
  keypoint_colors: string[];
  keypoint_label_ids: number[];
}

/** A user's change of the definition; absent parts stay as they were. */
export interface KeypointInput {
  labels?: readonly string[] | null | undefined;
  /** Pairs of 1-based numbers of `labels`. */
  edges?: readonly (readonly [number, number])[] | null | undefined;
  /** One per label; missing and empty ones are taken from the previous definition, then from the palette. */
  colors?: readonly string[] | null | undefined;
  /**
   * One per label, from clients that know them, so that renamed labels need not be guessed. New labels have new ids, or
   * null to be given one here.
   */
  ids?: readonly (number | null)[] | null | undefined;
}

export function toWire(definition: KeypointDefinition): WireKeypoints {
  const numbers = new Map(definition.labels.map((label, index) => [label.id, index + 1]));
  return {
    keypoint_labels: definition.labels.map((label) => label.name),
    keypoint_edges: definition.edges.flatMap(([a, b]) => {
      const from = numbers.get(a);
      const to = numbers.get(b);
      return from && to ? [[from, to] as [number, number]] : [];
    }),
    keypoint_colors: definition.labels.map((label) => label.color),
    keypoint_label_ids: definition.labels.map((label) => label.id),
  };
}

/**
 * Returns the definition after a user's change of `previous`. If ids are given, they identify the labels; one without an
 * id is new, unless a removed label has its name, also one that this change removes. Without ids, a label with the same name keeps its id, in any position; if one name is missing and one new name is in its position,
 * the label was renamed. Missing labels move to `removed`, and come back with their name. Throws a KeypointError.
 */
export function toStored(previous: KeypointDefinition, input: KeypointInput): KeypointDefinition {
  const names = input.labels ?? previous.labels.map((label) => label.name);
  requireNames(names);
  const labels = paint(named(previous, names, input.ids), previous, input.colors);
  const kept = new Set(labels.map((label) => label.id));
  const edges = input.edges
    ? edgesBetween(labels, input.edges)
    : previous.edges.filter(([a, b]) => kept.has(a) && kept.has(b));
  const removed = [...previous.labels, ...previous.removed].filter((label) => !kept.has(label.id));
  const { data, error } = keypointDefinition.safeParse({ labels, edges, removed });
  if (error) throw new KeypointError(error.issues[0]?.message ?? "Invalid keypoints", "keypoint_labels");
  return data;
}

function requireNames(names: readonly string[]): void {
  if (names.some((name) => name.trim() === "")) throw new KeypointError("Label is required", "keypoint_labels");
  if (new Set(names).size < names.length) throw new KeypointError("Duplicate keypoint label", "keypoint_labels");
}

type Named = Pick<KeypointLabel, "id" | "name">;

function named(previous: KeypointDefinition, names: readonly string[], given: KeypointInput["ids"]): Named[] {
  if (!given) return identify(previous, names);
  const removed = previous.labels.filter(({ id }) => !given.includes(id));
  const idForNew = newLabelIds({ ...previous, removed: [...removed, ...previous.removed] });
  const ids = given.map((id, index) => id ?? idForNew(names[index] ?? ""));
  if (ids.length !== names.length || new Set(ids).size < ids.length)
    throw new KeypointError("Every label needs its own id", "keypoint_label_ids");
  const before = new Set([...previous.labels, ...previous.removed].map((label) => label.id));
  if (ids.some((id) => id > MAX_LABEL_ID && !before.has(id)))
    throw new KeypointError("A label's id is too large", "keypoint_label_ids");
  return names.map((name, index) => ({ name, id: ids[index]! }));
}

function identify(previous: KeypointDefinition, names: readonly string[]): Named[] {
  const live = new Map(previous.labels.map((label) => [label.name, label.id]));
  const renamed = renaming(previous, names, new Set([...previous.labels, ...previous.removed].map(({ name }) => name)));
  const idForNew = newLabelIds(previous);
  // The first labels of a category get the ids 1, 2, 3 and so on: no id is taken yet.
  const isFirst = previous.labels.length + previous.removed.length === 0;
  const idOf = (name: string, index: number) => {
    if (isFirst) return index + 1;
    return live.get(name) ?? (name === renamed?.to ? renamed.id : idForNew(name));
  };
  return names.map((name, index) => ({ name, id: idOf(name, index) }));
}

/**
 * Returns the renamed label and its new name, if exactly one label is missing and one unknown name is in its position.
 */
function renaming({ labels }: KeypointDefinition, names: readonly string[], known: ReadonlySet<string>) {
  const missing = labels.filter((label) => !names.includes(label.name));
  const fresh = names.filter((name) => !known.has(name));
  const [from] = missing;
  const [to] = fresh;
  if (missing.length !== 1 || fresh.length !== 1 || !from || to === undefined) return undefined;
  return labels.indexOf(from) === names.indexOf(to) ? { id: from.id, to } : undefined;
}

function paint(
  labels: readonly Named[],
  previous: KeypointDefinition,
  colors: readonly string[] | null | undefined,
): KeypointLabel[] {
  const before = new Map([...previous.labels, ...previous.removed].map((label) => [label.id, label.color]));
  return labels.map((label, index) => {
    const fallback = before.get(label.id) ?? KEYPOINT_PALETTE[index % KEYPOINT_PALETTE.length] ?? KEYPOINT_PALETTE[0];
    return { ...label, color: colorOf(colors?.[index], fallback) };
  });
}

function colorOf(given: string | undefined, fallback: string): string {
  if (!given) return fallback;
  const { success, data } = color.safeParse(given);
  if (!success) throw new KeypointError("Invalid HEX color.", "keypoint_colors");
  return data;
}

/**
 * Returns edges as pairs of label ids, without duplicates in either direction and without edges from a label to itself.
 */
function edgesBetween(
  labels: readonly Named[],
  pairs: readonly (readonly [number, number])[],
): KeypointDefinition["edges"] {
  const edges = new Map<string, [number, number]>();
  for (const [from, to] of pairs) {
    const a = labels[from - 1]?.id;
    const b = labels[to - 1]?.id;
    if (!a || !b) throw new KeypointError("Edges may connect only existing labels", "keypoint_edges");
    if (a === b) continue;
    const key = a < b ? `${a}-${b}` : `${b}-${a}`;
    if (!edges.has(key)) edges.set(key, [a, b]);
  }
  return [...edges.values()];
}
