import { plural, t } from "@lingui/core/macro";
import type { CategoryStatistics } from "../../../../shared/entities/statistics";
import { numberText } from "./numberText";

/**
 * Returns the balance of categories in words: the most frequent against the rarest in use, Pielou's evenness (the
 * entropy of the shares divided by that of equal shares), and the number of categories without annotations.
 */
export function balanceOf(categories: readonly CategoryStatistics[]): string {
  const used = categories.filter(({ annotations }) => annotations > 0);
  const missing = categories.length - used.length;
  const absent =
    missing > 0 && plural(missing, { one: "# category has no annotation.", other: "# categories have no annotation." });
  const most = used.reduce((one, other) => (other.annotations > one.annotations ? other : one), used[0] ?? NONE);
  const least = used.reduce((one, other) => (other.annotations < one.annotations ? other : one), used[0] ?? NONE);
  const sentences = (...parts: (string | false)[]): string => [...parts, absent].filter(Boolean).join(" ");
  const [frequent, rare] = [most.name, least.name];
  if (used.length === 0) return sentences(t`No annotations yet.`);
  if (used.length === 1) return sentences(t`All annotations are of ${frequent}.`);
  const degree = numberText(evenness(used.map(({ annotations }) => annotations)));
  const even = t`Evenness ${degree} of 1.`;
  if (most.annotations === least.annotations) return sentences(t`All categories in use are equally frequent.`, even);
  const times = numberText(Math.round((most.annotations / least.annotations) * 10) / 10);
  return sentences(t`${frequent} has ${times} times as many annotations as ${rare}.`, even);
}

const NONE = { name: "", annotations: 0 };

function evenness(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const entropy = counts.reduce((sum, count) => sum - (count / total) * Math.log(count / total), 0);
  return Math.round((entropy / Math.log(counts.length)) * 100) / 100;
}
