import { CategorySizes } from "../../../../../shared/quality/categoryOutliers";
import type { Finding } from "../../../../../shared/quality/finding";
import { findMissingPoints, type Posed } from "../../../../../shared/quality/missingPoints";
import { findRareCategories } from "../../../../../shared/quality/rareCategories";
import type { Comparison } from "./comparison";
import type { AnnotationLine, CategoryLine } from "./rowsCompared";

/** Gathers a dataset's annotations, and compares those of each category. */
export class AnnotationComparison implements Comparison<AnnotationLine> {
  private readonly sizes = new Map<number, CategorySizes>();
  private readonly counts = new Map<number, number>();
  private readonly posed = new Map<number, Posed[]>();
  private readonly lists = new Map<string, number[]>();

  constructor(private readonly categories: readonly CategoryLine[]) {
    for (const { id } of categories) this.counts.set(id, 0);
  }

  add(lines: readonly AnnotationLine[]): void {
    for (const line of lines) {
      const { id, revision, image_id: image, category_id: category, bbox, iscrowd, labels } = line;
      this.counts.set(category, (this.counts.get(category) ?? 0) + 1);
      if (iscrowd) continue;
      entry(this.sizes, category, () => new CategorySizes()).add({ id, revision, image }, bbox, line);
      if (!labels || labels.length === 0) continue;
      // Equal lists are kept once.
      const own = entry(this.lists, labels.join(" "), () => labels);
      entry(this.posed, category, () => []).push({ id, revision, image, labels: own });
    }
  }

  find(): Finding[] {
    return [
      findRareCategories(this.counts),
      ...[...this.sizes].map(([category, all]) => all.find(category)),
      ...this.categories.map(({ id, labels }) => findMissingPoints(id, labels, this.posed.get(id) ?? [])),
    ].flat();
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
