import { type Kysely, type Migration, sql } from "kysely";
import {
  ACCENTS,
  BASE_LETTERS,
  CASE_LETTERS,
  LETTER_PAIRS,
  type LetterTable,
  NUMBER_DIGITS,
} from "../../../shared/text/fold";

/**
 * Adds the functions of shared/text/fold.ts to the database, so that SQL and TypeScript compare text by the same rules,
 * whatever the database's locale is. Also adds columns of images that the database fills with these functions, for
 * search and natural order. Existing names that are now equal remain, outside the unique indices.
 */
export const foldedText: Migration = {
  async up(db) {
    for (const statement of functions()) await sql.raw(statement).execute(db);
    await replaceUnique(db, "categories", "creator_id, fold_name(name)", "creator_id is not null");
    await replaceUnique(db, "datasets", "fold_name(name)", "purged_at is null");
    for (const statement of imageColumns) await sql.raw(statement).execute(db);
    await sql.raw(partsOfNames).execute(db);
  },
};

/**
 * Returns the statements that create the functions. Their bodies have the form that PostgreSQL parses only once, so
 * that they do not depend on a search path.
 */
function functions(): string[] {
  const isAscii = "octet_length(t) = char_length(t)";
  const lower = (text: string) => translated(`lower(${text} collate "C")`, CASE_LETTERS);
  const plain = lower(`regexp_replace(normalize(t, nfkd) collate "C", '${ACCENTS}', '', 'g')`);
  const folded = LETTER_PAIRS.reduce(
    (text, [from, to]) => `replace(${text}, '${from}', '${to}')`,
    translated(plain, BASE_LETTERS),
  );
  const filled = `regexp_replace(fold_text(t), '([0-9]+)', '${"0".repeat(NUMBER_DIGITS - 1)}\\1', 'g')`;
  return [
    define("fold_name", `case when ${isAscii} then lower(t collate "C") else ${lower("normalize(t, nfd)")} end`),
    define("fold_text", `case when ${isAscii} then lower(t collate "C") else ${folded} end`),
    define("sort_key", `regexp_replace(${filled}, '0*([0-9]{${NUMBER_DIGITS},})', '\\1', 'g')`),
  ];
}

const define = (name: string, body: string): string =>
  `create function ${name}(t text) returns text language sql immutable parallel safe return (${body}) collate "C"`;

const translated = (text: string, { from, to }: LetterTable): string => `translate(${text}, '${from}', '${to}')`;

/**
 * Replaces the unique index on names in lower case. Of names that are now equal, leaves all but the oldest out of the
 * index.
 */
async function replaceUnique(
  db: Kysely<unknown>,
  table: "categories" | "datasets",
  columns: string,
  condition: string,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, row_number() over (partition by ${sql.raw(columns)} order by id) as place
      from ${sql.table(table)} where ${sql.raw(condition)}) as named
    where place > 1 order by id`.execute(db);
  const older = rows.length > 0 ? ` and id not in (${rows.map(({ id }) => id).join(", ")})` : "";
  await sql.raw(`drop index ${table}_name`).execute(db);
  await sql.raw(`create unique index ${table}_name on ${table} (${columns}) where ${condition}${older}`).execute(db);
}

/**
 * search_name is searched for parts of names; name_key and path_key determine the order of lists. All are truncated,
 * because a row of an index has at most 2,704 bytes: one letter may be folded to 18, and one digit is padded to 20.
 */
const imageColumns = [
  `drop index images_by_file_name, images_by_path, images_by_id, images_by_annotated, images_by_folder`,
  `drop index if exists images_by_part_of_name`,
  `alter table images
    add column search_name text collate "C" not null generated always as (left(fold_text(file_name), 250)) stored,
    add column name_key text collate "C" not null generated always as (left(sort_key(file_name), 250)) stored,
    add column path_key text collate "C" not null generated always as (left(sort_key(path), 400)) stored`,
  `create index images_by_file_name on images (dataset_id, name_key, id)
    include (folder, search_name, annotated, done) where deleted_at is null`,
  `create index images_by_path on images (dataset_id, path_key, id)
    include (annotated, done) where deleted_at is null`,
  `create index images_by_id on images (dataset_id, id)
    include (folder, search_name, annotated, done) where deleted_at is null`,
  `create index images_by_annotated on images (dataset_id, annotated, name_key, id)
    include (folder, search_name, done) where deleted_at is null`,
  `create index images_by_folder on images (dataset_id, folder, name_key, id)
    include (search_name, annotated, done) where deleted_at is null`,
];

/** Finds parts of names by trigrams, if the extension is available and this user may create it. */
const partsOfNames = `do $$
  begin
    create extension if not exists pg_trgm;
    create index images_by_part_of_name on images using gin (search_name gin_trgm_ops);
  exception when others then
    raise notice 'no index for parts of file names: %', sqlerrm;
  end $$`;
