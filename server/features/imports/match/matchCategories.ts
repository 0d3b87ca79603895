import { type Kysely, sql } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import { type CurrentUser, mayChangeCategory } from "../../../base/permissions";
import type { Schema } from "../../../db/schema";
import { categoriesSeenBy } from "../../access/access";
import type { ReadCategory } from "../read/readCategory";
import type { CategoryWriter, KnownCategory } from "./categoryWriter";
import { fitLabels } from "./keypointFit";

/** Outcome of matching a category of the file. */
export interface CategoryMatch {
  name: string;
  id: number;
  /** Label ids in the file's order. */
  labels: number[];
  /**
   * found: it was there; defined: it was there and took the file's keypoints; restored: it lay in the trash, unused;
   * created: it is new; own: it is new since another of this name has other keypoints or lies in the trash.
   */
  how: "found" | "defined" | "restored" | "created" | "own";
  /** True if the dataset lists it since this import. */
  added: boolean;
  /** Of a defined one, its revision since. */
  revision?: number | undefined;
  /** The file's unknown keys, which exports of this dataset say again. */
  extra?: { [key: string]: Json };
}

type Candidate = KnownCategory & {
  listed: boolean;
  /** True if exports of the dataset have it: it is listed or, which is asked if a name comes twice, has annotations. */
  exported: boolean;
  /** Of one in the trash: whether it has annotations anywhere. */
  used: boolean;
};

/** For whom categories are matched, and how what is decided gets into the tables. */
interface Matching {
  /** The caller's transaction. */
  trx: Kysely<Schema>;
  user: CurrentUser;
  datasetId: number;
  writer: CategoryWriter;
}

/**
 * Finds or makes a category for each of the file's that follow those matched `before`, at most so many: by name without
 * regard to case among those the dataset lists, then those the user sees; the same spelling first, then own ones. What
 * the file has twice meets two categories where there are two. A category's keypoints are never changed, but one without
 * any takes the file's where the user may change it; where keypoints do not fit, a category of its own is made. All of
 * them are listed by the dataset afterwards.
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
    const match = known ?? (await define(matching, pool, category)) ?? (await make(matching, pool, category));
    matches.push(match);
  }
  await matching.writer.list([...new Set(matches.map(({ id }) => id))]);
  return matches;
}

/** Names in lower case that several categories of a file have. */
function repeatedNames(categories: readonly ReadCategory[]): ReadonlySet<string> {
  const names = categories.map(({ name }) => name.toLowerCase());
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** Ranks of the candidates for a category: those of the first are tried first, then the next, and so on. */
const RANKS: readonly ((candidate: Candidate, category: ReadCategory) => boolean)[] = [
  (candidate, category) => candidate.exported && candidate.name === category.name,
  (candidate) => candidate.exported,
  (candidate, category) => candidate.name === category.name,
  () => true,
];

/**
 * The categories that are there already, each for one of the file's only, the best ones given away first. Those that
 * share a name meet in the order of their ids, as exports have them.
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
      if (repeated.has(category.name.toLowerCase())) free.sort((a, b) => a.id - b.id);
      const match = findFitting(free, category);
      if (!match) continue;
      given.add(match.id);
      matches.set(category, match);
    }
  }
  return matches;
}

/** Categories that may be meant, best first: of these names, or of these names with a number behind. */
class CandidatePool {
  private readonly byName = new Map<string, Candidate[]>();

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) this.add(candidate);
  }

  add(candidate: Candidate): void {
    const key = candidate.name.toLowerCase();
    this.byName.set(key, [...(this.byName.get(key) ?? []), candidate]);
  }

  /** Those of this name, live ones only. */
  named(name: string): Candidate[] {
    return this.all(name).filter((candidate) => candidate.deleted_at === null);
  }

  all(name: string): Candidate[] {
    return this.byName.get(name.toLowerCase()) ?? [];
  }
}

/** Names that a category of its own may get beside another of the same name. */
const numbered = (name: string, n: number): string => `${name} (${n})`;
const NUMBER = / \(\d+\)$/;
const MAX_NUMBER = 20;

async function candidatesFor(
  { trx, user, datasetId }: Matching,
  categories: readonly ReadCategory[],
  repeated: ReadonlySet<string>,
): Promise<Candidate[]> {
  const names = [...new Set(categories.map(({ name }) => name.replace(NUMBER, "")))];
  const { rows } = await sql<Candidate>`
    select categories.id, categories.name, categories.keypoints, categories.revision, categories.creator_id,
      categories.deleted_at, listed.category_id is not null as listed,
      listed.category_id is not null or lower(categories.name) = any(${[...repeated]}::text[]) and exists (
        select from images where dataset_id = ${datasetId} and images.categories @> array[categories.id]) as exported,
      categories.deleted_at is not null and exists (
        select from annotations where category_id = categories.id and deleted_at is null and visible) as used
    from categories
    left join dataset_categories as listed on listed.category_id = categories.id and listed.dataset_id = ${datasetId}
    where lower(regexp_replace(categories.name, ' \\(\\d+\\)$', '')) in (select lower(name) from unnest(${names}::text[]) as name)
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

/** A category without keypoints takes the file's, where the user may change it. */
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

/** A category of the user's own, by the file's name, or with a number behind where the name is taken. */
async function make(matching: Matching, pool: CandidatePool, category: ReadCategory): Promise<CategoryMatch> {
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

/** A category in the user's trash that no annotation uses: bringing it back shows nothing that was put away. */
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
