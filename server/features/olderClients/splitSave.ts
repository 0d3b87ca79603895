import type { SavedAnnotation, SavedCategory, SavedState } from "../bodies/savedState";

/** Maximum number of path coordinates stored at once, as for edits. */
const PART_COORDINATES = 50_000;

/**
 * Splits a large save into saves that are stored one after another. Each has some of the annotations; the last one also
 * has the rest of the state.
 */
export function splitSave(state: SavedState): SavedState[] {
  const groups = groupsOf(state.categories ?? []);
  const last = groups.pop() ?? [];
  const { scene, installation } = state.dataset ?? {};
  const parts = groups.map((entries) => ({
    image: { id: state.image.id },
    ...(scene && { dataset: { scene, installation } }),
    categories: byCategory(entries.map(({ category: { id }, annotation }) => ({ category: { id }, annotation }))),
  }));
  if (parts.length === 0) return [state];
  const whole = (state.categories ?? []).map((category) => ({
    ...category,
    annotations: last.filter((entry) => entry.category === category).map(({ annotation }) => annotation),
  }));
  return [...parts, { ...state, categories: whole }];
}

interface Entry {
  category: SavedCategory;
  annotation: SavedAnnotation;
}

function groupsOf(categories: readonly SavedCategory[]): Entry[][] {
  const groups: Entry[][] = [[]];
  let size = 0;
  for (const category of categories)
    for (const annotation of category.annotations ?? []) {
      const { path } = annotation;
      const own = path && "coordinates" in path ? path.coordinates.length : 0;
      if (size > 0 && size + own > PART_COORDINATES) {
        groups.push([]);
        size = 0;
      }
      groups.at(-1)?.push({ category, annotation });
      size += own;
    }
  return groups;
}

function byCategory(entries: readonly Entry[]): SavedCategory[] {
  const byId = new Map<number, SavedAnnotation[]>();
  for (const { category, annotation } of entries) {
    const list = byId.get(category.id) ?? [];
    list.push(annotation);
    byId.set(category.id, list);
  }
  return [...byId].map(([id, annotations]) => ({ id, annotations }));
}
