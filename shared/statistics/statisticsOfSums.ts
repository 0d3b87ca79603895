import {
  type CategoryStatistics,
  HEAT_SIDE,
  LARGE_FROM,
  SIZE_EDGES,
  type SizeBin,
  SMALL_BELOW,
  type Statistics,
  type UserStatistics,
} from "../entities/statistics";
import type { Sums } from "./sums";

export interface Named {
  /** The categories that the dataset lists or uses, in order of id, without deleted ones. */
  categories: readonly { id: number; name: string; color: string }[];
  /** Owner, members and all other users who contributed. */
  users: readonly UserStatistics[];
  /** Number of members, including the owner. */
  members: number;
}

/** Returns the sums in the form that the API sends: categories and users with the most annotations first. */
export function statisticsOfSums(sums: Sums, named: Named): Statistics {
  const categories = byCategory(sums, named);
  const users = [...named.users].sort((one, other) => other.annotations - one.annotations);
  const annotations = sumOf(categories.map((category) => category.annotations));
  const groups = [...sums.categories.values()];
  const worked = sumOf(groups.map((group) => group.milliseconds));
  return {
    total: {
      Users: named.members,
      Images: sums.images,
      "Annotated Images": sums.annotatedImages,
      Annotations: annotations,
      Categories: categories.length,
      "Time Annotating (s)": Math.round(sums.milliseconds / 1000),
    },
    average: {
      // Despite its name, this is the mean width, as on older servers.
      "Image Size (px)": mean(sums.width, sums.images),
      "Image Height (px)": mean(sums.height, sums.images),
      "Annotation Area (px)": mean(sumOf(groups.map(({ area }) => area)), sumOf(groups.map(({ sized }) => sized))),
      "Time (ms) per Image": mean(sums.milliseconds, sums.images),
      "Time (ms) per Annotation": mean(worked, annotations),
    },
    categories: byName(categories, ({ annotations: number }) => number),
    images_per_category: byName(categories, ({ images }) => images),
    users: Object.fromEntries(
      users
        .filter(({ account }) => account)
        .map((user) => [user.username, { annotations: user.annotations, images: user.images }]),
    ),
    by_category: categories,
    by_user: users,
    sizes: sizesOf(sums),
    positions: { columns: HEAT_SIDE, rows: HEAT_SIDE, counts: sums.positions },
  };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
/** Returns the mean with two decimals, or 0 if `count` is 0. */
const mean = (sum: number, count: number) => (count === 0 ? 0 : Math.round((sum / count) * 100) / 100);

function byCategory(sums: Sums, { categories }: Named): CategoryStatistics[] {
  return categories
    .map((row) => {
      const { annotations = 0, images = 0, milliseconds = 0, area = 0, sized = 0 } = sums.categories.get(row.id) ?? {};
      const { id, name, color } = row;
      return { id, name, color, annotations, images, milliseconds, area: mean(area, sized) };
    })
    .sort((one, other) => other.annotations - one.annotations);
}

/** Returns a number by category name. If several share a name, all but the first have their id appended. */
function byName(
  categories: readonly CategoryStatistics[],
  of: (category: CategoryStatistics) => number,
): Record<string, number> {
  const names = new Map<string, number>();
  for (const category of [...categories].sort((one, other) => one.id - other.id))
    names.set(names.has(category.name) ? `${category.name} (${category.id})` : category.name, of(category));
  return Object.fromEntries(names);
}

function sizesOf({ sizes }: Sums): Statistics["sizes"] {
  const histogram: SizeBin[] = sizes.map((count, bin) => ({
    from: SIZE_EDGES[bin - 1] ?? 0,
    to: SIZE_EDGES[bin] ?? null,
    count,
  }));
  const count = (isIn: (bin: SizeBin) => boolean) => sumOf(histogram.filter(isIn).map((bin) => bin.count));
  return {
    small: count(({ to }) => to !== null && to <= SMALL_BELOW),
    medium: count(({ from, to }) => from >= SMALL_BELOW && to !== null && to <= LARGE_FROM),
    large: count(({ from }) => from >= LARGE_FROM),
    histogram,
  };
}
