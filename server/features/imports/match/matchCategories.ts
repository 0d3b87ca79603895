import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import { foldName } from "../../../../shared/text/fold";
import { type CurrentUser, mayChangeCategory } from "../../../base/permissions";
import { isLiveAnnotation } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import { categoriesSeenBy } from "../../access/access";
import type { ReadCategory } from "../read/readCategory";
import type { CategoryWriter, KnownCategory } from "./categoryWriter";
import { fitLabels } from "./keypointFit";

/** Match of a category of the file. */
export interface CategoryMatch {
  name: string;
  id: number;
  /** Ids of the keypoint labels in the file's order. */
  labels: number[];
  /**
   * found: it existed; defined: it existed and received the file's keypoints; restored: it was in the trash, unused;
   * created: it is new; own: it is new because a category of the same name has other keypoints or is in the trash.
   */
  how: "found" | "defined" | "restored" | "created" | "own";
  /** True if this import added it to the dataset's list. */
  added: boolean;
  /** Revision of a defined category after the change. */
  revision?: number | undefined;
  /** The file's unknown keys, which exports of this dataset include. */
  extra?: { [key: string]: Json };
}

type Candidate = KnownCategory & {
  listed: boolean;
  /** True if exports of the dataset include it: it is listed or, checked only for repeated names, has annotations. */
  exported: boolean;
  /** True if it is in the trash but has annotations anywhere. */
  used: boolean;
};

/** Context in which categories are matched. */
interface Matching {
  /** The caller's transaction. */
  trx: Kysely<Schema>;
  user: CurrentUser;
  datasetId: number;
  writer: CategoryWriter;
}

/**
 * Finds or creates a category for each category of the file after those matched `before`, at most `atMost` of them.
 * Names are compared by foldName, first with the categories that the dataset lists, then with those that the
 * user can see; the same spelling is preferred, then the user's own categories. A name that occurs twice in the file
 * matches two categories if there are two. Existing keypoints are never changed, but a category without any receives
 * the file's if the user may change it. If the keypoints do not fit, a new category is created. Adds all of them to the
 * dataset's list.
 */
export async function matchCategories(
  matching: Matching,
  categories: readonly ReadCategory[],
  before: readonly CategoryMatch[] = [],
  atMost = categories.length,
): Promise<CategoryMatch[]> {
  const some = categories.slice(before.length, before.length + atMost);
  const repeated = repeatedNames(categories);
  const pool = new CandidatePool(await candidatesFor(matching, some, repeated));
  const found = findEach(pool, some, { taken: before.map(({ id }) => id), repeated });
  const matches: CategoryMatch[] = [];
  for (const category of some) {
    const known = found.get(category) ?? findFitting(pool.named(category.name), category);
    const match = known ?? (await define(matching, pool, category)) ?? (await create(matching, pool, category));
    matches.push(match);
  }
  await matching.writer.list([...new Set(matches.map(({ id }) => id))]);
  return matches;
}

/** Returns the folded names that several categories of a file share. */
function repeatedNames(categories: readonly ReadCategory[]): ReadonlySet<string> {
  const names = categories.map(({ name }) => foldName(name));
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** Ranks of the candidates for a category, the best first. */
const RANKS: readonly ((candidate: Candidate, category: ReadCategory) => boolean)[] = [
  (candidate, category) => candidate.exported && candidate.name === category.name,
  (candidate) => candidate.exported,
  (candidate, category) => candidate.name === category.name,
  () => true,
];

/**
 * Assigns existing categories to those of the file, each at most once and the best matches first. Categories that share
 * a name are assigned in order of id, as exports write them.
 */
function findEach(
  pool: CandidatePool,
  categories: readonly ReadCategory[],
  { taken, repeated }: { taken: readonly number[]; repeated: ReadonlySet<string> },
): Map<ReadCategory, CategoryMatch> {
  const given = new Set(taken);
  const matches = new Map<ReadCategory, CategoryMatch>();
  for (const isOfRank of RANKS) {
    for (const category of categories) {
      if (matches.has(category)) continue;
      const free = pool.named(category.name).filter((one) => !given.has(one.id) && isOfRank(one, category));
      if (repeated.has(foldName(category.name))) free.sort((a, b) => a.id - b.id);
      const match = findFitting(free, category);
      if (!match) continue;
      given.add(match.id);
      matches.set(category, match);
    }
  }
  return matches;
}

/** Possible matches by name, best first. Includes names with an appended number. */
class CandidatePool {
  private readonly byName = new Map<string, Candidate[]>();

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) this.add(candidate);
  }

  add(candidate: Candidate): void {
    const key = foldName(candidate.name);
    this.byName.set(key, [...(this.byName.get(key) ?? []), candidate]);
  }

  /** Returns the categories with this name that are not in the trash. */
  named(name: string): Candidate[] {
    return this.all(name).filter((candidate) => candidate.deleted_at === null);
  }

  all(name: string): Candidate[] {
    return this.byName.get(foldName(name)) ?? [];
  }
}

/** Returns the name for a new category if its name is taken. */
const numbered = (name: string, n: number): string => `${name} (${n})`;
const NUMBER = / \(\d+\)$/;
const MAX_NUMBER = 20;

async function candidatesFor(
  { trx, user, datasetId }: Matching,
  categories: readonly ReadCategory[],
  repeated: ReadonlySet<string>,
): Promise<Candidate[]> {
  const names = [...new Set(categories.map(({ name }) => foldName(name.replace(NUMBER, ""))))];
  const { rows } = await sql<Candidate>`
    select categories.id, categories.name, categories.keypoints, categories.revision, categories.creator_id,
      categories.deleted_at, listed.category_id is not null as listed,
      listed.category_id is not null or fold_name(categories.name) = any(${[...repeated]}::text[]) and exists (
        select from images where dataset_id = ${datasetId} and images.categories @> array[categories.id]) as exported,
      categories.deleted_at is not null and exists (
        select from annotations where category_id = categories.id and ${isLiveAnnotation()}) as used
    from categories
    left join dataset_categories as listed on listed.category_id = categories.id and listed.dataset_id = ${datasetId}
    where fold_name(regexp_replace(categories.name, ' \\(\\d+\\)$', '')) = any(${names}::text[])
      and (categories.id in (${categoriesSeenBy(trx, user).select("categories.id")})
        or categories.creator_id = ${user.id})
    order by listed.category_id is null, categories.creator_id is distinct from ${user.id}, categories.id
  `.execute(trx);
  return rows;
}

function findFitting(candidates: readonly Candidate[], category: ReadCategory): CategoryMatch | undefined {
  for (const candidate of candidates) {
    const labels = fitLabels(candidate.keypoints, category.keypoints);
    if (labels) return matchOf(candidate, category, labels, "found");
  }
  return undefined;
}

const matchOf = (
  { id, listed }: Candidate,
  { name, extra }: ReadCategory,
  labels: number[],
  how: CategoryMatch["how"],
): CategoryMatch => ({ name, id, labels, how, added: !listed, ...(extra && { extra }) });

/**
 * Gives the file's keypoints to a category without any that the user may change. Returns undefined if there is none.
 */
async function define(
  { user, writer }: Matching,
  pool: CandidatePool,
  category: ReadCategory,
): Promise<CategoryMatch | undefined> {
  const { keypoints } = category;
  const blank = pool
    .named(category.name)
    .find((candidate) => candidate.keypoints.labels.length === 0 && mayChangeCategory(user, candidate));
  if (!blank || !keypoints) return undefined;
  Object.assign(blank, await writer.define(blank, keypoints));
  const match = matchOf(blank, category, fitLabels(blank.keypoints, keypoints) ?? [], "defined");
  return { ...match, revision: blank.revision };
}

/**
 * Creates a category for the user, with a number appended if the name is taken, or reuses a numbered category that was
 * created earlier.
 */
async function create(matching: Matching, pool: CandidatePool, category: ReadCategory): Promise<CategoryMatch> {
  const { user, writer } = matching;
  for (let n = 1; n <= MAX_NUMBER; n++) {
    const name = n === 1 ? category.name : numbered(category.name, n);
    const known = n === 1 ? undefined : findFitting(pool.named(name), category);
    if (known) return known;
    const restored = await restore(matching, pool.all(name), category);
    if (restored) return restored;
    if (pool.all(name).some((candidate) => candidate.creator_id === user.id)) continue;
    const made = await writer.insert(category, name);
    if (!made) continue;
    const isFirst = n === 1 && pool.named(category.name).length === 0;
    const candidate = { ...made, listed: false, exported: false, used: false };
    pool.add(candidate);
    const labels = fitLabels(made.keypoints, category.keypoints) ?? [];
    return matchOf(candidate, category, labels, isFirst ? "created" : "own");
  }
  throw new Error(`There are too many categories named "${category.name}".`);
}

/** Restores a category from the user's trash that no annotation uses, so that no deleted annotation reappears. */
async function restore(
  { user, writer }: Matching,
  candidates: readonly Candidate[],
  category: ReadCategory,
): Promise<CategoryMatch | undefined> {
  const unused = candidates.find((one) => one.deleted_at && one.creator_id === user.id && !one.used);
  const labels = unused && fitLabels(unused.keypoints, category.keypoints);
  if (!unused || !labels) return undefined;
  await writer.restore(unused.id);
  unused.deleted_at = null;
  return matchOf(unused, category, labels, "restored");
}
