import { type Kysely, sql } from "kysely";
import {
  type CategoryStatistics,
  HEAT_SIDE,
  LARGE_FROM,
  SIZE_EDGES,
  type SizeBin,
  SMALL_BELOW,
  type Statistics,
  type UserStatistics,
} from "../../../shared/entities/statistics";
import { isLiveCategory } from "../../db/rows/categories";
import type { Schema } from "../../db/schema";
import type { Sums } from "./sums";

/** Returns the sums in the form that the API sends, with the names of categories and users. */
export async function statisticsDocument(db: Kysely<Schema>, datasetId: number, sums: Sums): Promise<Statistics> {
  const categories = await byCategory(db, datasetId, sums);
  const { users, members } = await byUser(db, datasetId, sums);
  const annotations = sumOf(categories.map((category) => category.annotations));
  const groups = [...sums.categories.values()];
  const worked = sumOf(groups.map((group) => group.milliseconds));
  return {
    total: {
      Users: members,
      Images: sums.images,
      "Annotated Images": sums.annotatedImages,
      Annotations: annotations,
      Categories: categories.length,
      "Time Annotating (s)": Math.round(sums.milliseconds / 1000),
    },
    average: {
      // The width, as in older servers.
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

/** Returns the categories that the dataset lists or uses, those with the most annotations first. */
async function byCategory(db: Kysely<Schema>, datasetId: number, sums: Sums): Promise<CategoryStatistics[]> {
  const { rows } = await sql<{ id: number; name: string; color: string }>`
    select id, name, color from categories where ${isLiveCategory()} and (id = any(${[...sums.categories.keys()]}::int[])
      or id in (select category_id from dataset_categories where dataset_id = ${datasetId}))
    order by id`.execute(db);
  return rows
    .map((row) => {
      const { annotations = 0, images = 0, milliseconds = 0, area = 0, sized = 0 } = sums.categories.get(row.id) ?? {};
      return { ...row, annotations, images, milliseconds, area: mean(area, sized) };
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

/**
 * Returns the dataset's owner and members and all other users who contributed, those with the most annotations first.
 */
async function byUser(
  db: Kysely<Schema>,
  datasetId: number,
  sums: Sums,
): Promise<{ users: UserStatistics[]; members: number }> {
  const ids = [...sums.makers.keys(), ...sums.times.keys()].filter((key) => typeof key === "number");
  const { rows } = await sql<{ id: number; username: string; is_member: boolean }>`
    with members as (
      select user_id as id from dataset_members where dataset_id = ${datasetId}
      union select owner_id from datasets where id = ${datasetId}
    )
    select id, username, id in (select id from members where id is not null) as is_member from users
    where id = any(${ids}::int[]) or id in (select id from members) order by lower(username)`.execute(db);
  const known = new Set(rows.map((row) => row.id));
  const withAccount = rows.map(({ id, username }) => {
    const { annotations = 0, images = 0 } = sums.makers.get(id) ?? {};
    return { username, account: true, annotations, images, milliseconds: sums.times.get(id) ?? 0 };
  });
  return {
    users: [...withAccount, ...withoutAccount(sums, known)].sort((one, other) => other.annotations - one.annotations),
    members: rows.filter((row) => row.is_member).length,
  };
}

/** Returns the creators without an account, by the stored name: deleted users, and `system`. */
function withoutAccount({ makers, names }: Sums, known: ReadonlySet<number>): UserStatistics[] {
  const gone = new Map<string, UserStatistics>();
  for (const [key, { annotations, images }] of makers) {
    if (typeof key === "number" && known.has(key)) continue;
    const username = typeof key === "number" ? (names.get(key) ?? "") : key;
    const one = gone.get(username) ?? { username, account: false, annotations: 0, images: 0, milliseconds: 0 };
    gone.set(username, { ...one, annotations: one.annotations + annotations, images: one.images + images });
  }
  return [...gone.values()];
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
