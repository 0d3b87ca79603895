import { type Kysely, type RawBuilder, sql } from "kysely";
import type { ShownFinding } from "../../../shared/api/datasets/quality";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import { FINDING_KINDS, type FindingKind, fixOf } from "../../../shared/quality/finding";
import { HttpError } from "../../base/errors";
import { isLiveAnnotation } from "../../db/rows/annotations";
import { isLiveCategory } from "../../db/rows/categories";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

type Db = Kysely<Schema>;

/** Findings with their images and annotations, as far as they still exist. */
const joined = sql`quality_findings f
  left join images i on i.id = f.image_id and ${isLiveImage("i")}
  left join images oi on oi.id = f.other_image_id and ${isLiveImage("oi")}
  left join annotations a on a.id = f.annotation_id and ${isLiveAnnotation("a")} and a.revision = f.revision
  left join annotations oa on oa.id = f.other_annotation_id and ${isLiveAnnotation("oa")}
  left join categories c on c.id = coalesce(a.category_id, f.category_id) and ${isLiveCategory("c")}
  left join categories oc on oc.id = oa.category_id
  left join quality_ignored g on g.dataset_id = f.dataset_id and g.kind = f.kind and g.key = f.key`;

/**
 * Condition on `joined`: what was found is still there. Findings about deleted things, about annotations that were
 * changed since the check, and about images that have annotations by now are left out until the next check.
 */
const isPresent = sql`(f.image_id is null or i.id is not null) and (f.other_image_id is null or oi.id is not null)
  and (f.annotation_id is null or a.id is not null) and (f.other_annotation_id is null or oa.id is not null)
  and (f.category_id is null or c.id is not null)
  and (f.kind <> 'unlabelled' or (i.num_annotations = 0 and not i.done))`;

const isIgnored = sql`g.key is not null`;

/** Id of the category that a finding suggests; null if it suggests none. */
const likely = sql`(f.details ->> 'likely')::integer`;

/**
 * 48 bits of a hash of a finding as a user sees it, whichever check has found it: what it is about, and what its fix
 * would do.
 */
const hashed = sql`hashtextextended(concat_ws(' ', f.key, f.revision, ${likely}), 0) & ${sql.lit(2 ** 48 - 1)}`;

/** Returns findings' digest from the sum of their hashes, as a number that JSON keeps exactly. */
const digestOf = (sum: RawBuilder<unknown>) =>
  sql<number>`mod(coalesce(${sum}, 0), ${sql.lit(2 ** 48)})::double precision`;

/** Counts the findings that are still there by kind, in the order of the kinds. */
export async function countFindings(db: Db, datasetId: number) {
  const { rows } = await sql<{ kind: FindingKind; found: number; ignored: number }>`
    select f.kind, count(*) filter (where not (${isIgnored}))::integer as found,
      count(*) filter (where ${isIgnored})::integer as ignored
    from ${joined} where f.dataset_id = ${datasetId}::integer and ${isPresent} group by f.kind`.execute(db);
  const byKind = new Map(rows.map((row) => [row.kind, row]));
  return FINDING_KINDS.flatMap((kind) => {
    const row = byKind.get(kind);
    return row ? [{ ...row, can_fix: fixOf(kind) !== undefined }] : [];
  });
}

/**
 * Returns a page of the findings of a kind, the worst first, with the number and the digest of all. These are read
 * before the page: if a finding changes in between, a command with them is refused.
 */
export async function findingsPage(
  db: Db,
  datasetId: number,
  {
    kind,
    likely: wanted,
    ignored = false,
    page,
    limit,
  }: {
    kind: FindingKind;
    likely?: number | undefined;
    ignored?: boolean | undefined;
    page: number;
    limit: number;
  },
) {
  const ofKind = sql`f.dataset_id = ${datasetId}::integer and f.kind = ${kind} and ${isPresent}
    and (${isIgnored}) = ${ignored}::boolean`;
  const which = sql`${ofKind} and ${suggests(wanted)}`;
  const { rows: counted } = await sql<{ total: number; digest: number }>`
    select count(*)::integer as total, ${digestOf(sql`sum(${hashed})`)} as digest
    from ${joined} where ${which}`.execute(db);
  const { total: found, digest } = counted[0] ?? { total: 0, digest: 0 };
  const { total, pages, start, page: shown } = pageOf(page, limit, found);
  const { rows: findings } = await sql<ShownFinding>`
    select f.id, f.kind, f.score, f.details, ${isIgnored} as is_ignored,
      ${imageObject("i")} as image, ${imageObject("oi")} as other_image,
      ${annotationObject("a", "c")} as annotation, ${annotationObject("oa", "oc")} as other_annotation,
      case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as category
    from ${joined} where ${which} order by f.score desc, f.id limit ${limit} offset ${start}`.execute(db);
  const suggested = await suggestedCategories(db, ofKind);
  return { total, digest, pages, page: shown, findings, suggested };
}

/** Condition on findings: they suggest this category. */
const suggests = (category: number | undefined) =>
  category === undefined ? sql`true` : sql`${likely} = ${category}::integer`;

/** Counts the findings that meet a condition by the category that they suggest, if it still exists. */
async function suggestedCategories(db: Db, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: number; name: string; found: number }>`
    select lc.id, lc.name, count(*)::integer as found
    from ${joined} join categories lc on lc.id = ${likely} and ${isLiveCategory("lc")}
    where ${condition} group by lc.id, lc.name order by found desc, lc.name, lc.id`.execute(db);
  return rows;
}

function imageObject(table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case when ${column("id")} is not null then json_build_object('id', ${column("id")},
    'file_name', ${column("file_name")}, 'path', ${column("path")}, 'width', ${column("width")},
    'height', ${column("height")}, 'num_annotations', ${column("num_annotations")}) end`;
}

function annotationObject(table: string, category: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case when ${column("id")} is not null then json_build_object('id', ${column("id")},
    'uuid', ${column("uuid")}, 'category', coalesce(${sql.ref(`${category}.name`)}, ''), 'color', ${column("color")},
    'bbox', ${column("bbox")}) end`;
}

/**
 * Findings that a command names: by id, or all of the kind that are not ignored; with `likely`, only those that suggest
 * this category. `total` and `digest` are of those that the user saw.
 */
export interface WhichFindings {
  kind: FindingKind;
  ids?: number[] | undefined;
  total?: number | undefined;
  digest?: number | undefined;
  likely?: number | undefined;
}

/** A finding that a command is about, with what it concerns when the command was given. */
export interface Target {
  key: string;
  image_id: number | null;
  annotation_id: number | null;
  revision: number | null;
  other_image_id: number | null;
  other_annotation_id: number | null;
  /** Id of the category that the finding suggests. */
  likely: number | null;
}

/**
 * Returns the findings that a command names. Throws 409 if some of `ids` are no longer there, if the number of findings
 * is not `total`, or if others are there than those of `digest`.
 */
export async function targetsOf(
  db: Db,
  datasetId: number,
  { kind, ids, total = 0, digest, likely: wanted }: WhichFindings,
): Promise<Target[]> {
  const chosen = ids ? sql`f.id = any(${ids}::integer[])` : sql`not (${isIgnored})`;
  const { rows } = await sql<Target & { digest: number }>`
    select f.key, f.image_id, f.annotation_id, f.revision, f.other_image_id, f.other_annotation_id, ${likely} as likely,
      ${digestOf(sql`sum(${hashed}) over ()`)} as digest
    from ${joined} where f.dataset_id = ${datasetId}::integer and f.kind = ${kind} and ${isPresent} and ${chosen}
      and ${suggests(wanted)}
    order by f.image_id, f.annotation_id`.execute(db);
  const now = { total: rows.length, digest: rows[0]?.digest ?? 0 };
  if (ids && now.total < new Set(ids).size) throw refused(CHOSEN_GONE, now);
  if (!ids && total !== now.total)
    throw refused(
      `The findings have changed since they were loaded: there are ${now.total} now, not ${total}. Nothing was changed. Try again with the new number.`,
      now,
    );
  if (!ids && digest !== undefined && digest !== now.digest) throw refused(OTHERS_FOUND, now);
  return rows.map(({ digest: _, ...target }) => target);
}

const CHOSEN_GONE =
  "A finding that you chose is no longer there, or has changed since it was loaded. Nothing was changed. Look at the findings that are left.";
const OTHERS_FOUND =
  "The findings have changed since they were loaded: there are as many now, but not the same ones. Nothing was changed. Look at them again.";

const refused = (message: string, now: { total: number; digest: number }): HttpError =>
  new HttpError(409, message, { code: "total_changed", facts: now });

/** Ignores findings in this and later checks, or stops ignoring them. */
export async function ignore(
  db: Db,
  datasetId: number,
  userId: number,
  kind: FindingKind,
  targets: readonly Target[],
  ignored: boolean,
): Promise<void> {
  const keys = targets.map(({ key }) => key);
  if (ignored)
    await sql`
      insert into quality_ignored (dataset_id, kind, key, user_id)
      select ${datasetId}::integer, ${kind}, key, ${userId}::integer from unnest(${keys}::text[]) as key
      on conflict do nothing`.execute(db);
  else
    await sql`delete from quality_ignored
      where dataset_id = ${datasetId}::integer and kind = ${kind} and key = any(${keys}::text[])`.execute(db);
}
