import { type Kysely, sql } from "kysely";
import type { Schema } from "../../server/db/schema";
import { listTables } from "../../server/db/tables";

/** Inserts a few rows into every table, with values that are easily damaged by export and import. */
export async function fillEveryTable(db: Kysely<Schema>): Promise<void> {
  const odd = JSON.stringify({ text: 'é "quoted"\n\\ 💡', big: 1e300, tiny: 1.1e-7, nested: [{ a: [null, true] }] });
  const statements = [
    sql`insert into users (username, name, password_hash, is_admin, preferences, last_seen) values
      ('anna', ${'Ånna\t"x"\u2028'}, 'hash', true, ${odd}::jsonb, '2026-03-29 01:30:00.123456+00'), ('bob', '', null, false, '{}', null)`,
    sql`insert into sessions (id, user_id, expires_at) values ('abc', 1, 'infinity')`,
    sql`insert into known_addresses (key, user_id, seen_at) values ('k', 1, '2026-03-29 01:30:00.123456+00')`,
    sql`insert into api_tokens (user_id, name, prefix, hash, last_used) values (1, ${"scr\u0131pt \u2028"}, 'limn_ab', 'h', '2026-03-29 01:30:00.123456+00')`,
    sql`insert into datasets (name, folder, owner_id, deleted_at, deleted_by) values ('Cats', 'cats', 1, null, null), ('Dogs', 'dogs', null, now(), 2)`,
    sql`insert into dataset_members values (1, 2), (2, 1)`,
    sql`insert into categories (name, color, creator_id, metadata) values ('cat', '#00ff00', 1, ${odd}::jsonb)`,
    sql`insert into reserved_category_ids values (7, 1)`,
    sql`insert into dataset_categories values (1, 1)`,
    sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, labels, extra)
      select 1, 'a/' || n || '.jpg', 'a/', n || '.jpg', 10, 20, 'image/jpeg', 9007199254740991, 1700000000123, 'h' || n, '{1,2}', ${odd}::jsonb
      from generate_series(1, 2500) as n`,
    sql`insert into tasks (kind, name, key, payload, state, progress) values ('scan', 'Scan', 'scan:1', ${odd}::jsonb, 'done', 33.3333333333333357)`,
    sql`insert into task_logs (task_id, line, level, text) values (1, 1, 'INFO', 'x'), (1, 2, 'WARNING', ${"tab\tand \\N"})`,
    sql`insert into task_followers values (1, 2)`,
    sql`insert into sent_scenes (id, user_id, client, image_id, revision, sent)
      values ('00000000-0000-4000-8000-000000000001', 1, 'basic 1', 1, 1, ${odd}::jsonb)`,
    sql`insert into imports (dataset_id, task_id, user_id, file_name) values (1, 1, 2, 'coco.json')`,
    sql`insert into annotations (image_id, category_id, shape, area, bbox, color, keypoints, import_id, import_item)
      select 1 + n % 2500, 1, ${JSON.stringify({ kind: "rings", rings: [[0.1, 0.2, 1e-9, 3.3, 5, 6]] })}::jsonb,
        0.1 + 0.2 + n, '[0.1,0.2,3,4]', '#ff0000', '[]', 1, n from generate_series(1, 3000) as n`,
    sql`insert into clients (id, user_id) values ('client', 1)`,
    sql`insert into edits (uuid, client, answer) values (gen_random_uuid(), 'client', ${odd}::jsonb)`,
    sql`insert into edit_history (image_id, image_revision, subject, subject_id, revision, action, fields)
      select 1, n, 'image', '1', n, 'modify', ${odd}::jsonb from generate_series(1, 60) as n`,
    sql`insert into work_sessions (uuid, user_id, image_id, started_at, milliseconds, tools) values (gen_random_uuid(), 1, 1, now(), 5, '["select"]')`,
    sql`insert into exports (dataset_id, task_id, file, bytes, tags) values (1, 1, 'x.json', 12345678901, '["a"]')`,
    sql`insert into versions (dataset_id, task_id, name, note, file, entries_file, bytes, sha256, images, annotations,
      categories, creator_name) values (1, 1, 'v1', E'a\\b\n', 'x.json.gz', 'x.entries.gz', 12345678901,
      ${"0a".repeat(32)}, 1, 2, '[{"id":1,"name":"a","annotations":2}]', 'ann')`,
    sql`insert into quality_ignored (dataset_id, kind, key, user_id) values (1, 'sliver', 'a"b', 1)`,
    sql`insert into consensus_datasets values (2, 1, 2, ${"b\u2028ob"})`,
    sql`insert into consensus_copies values (2, 1)`,
    sql`insert into consensus_truths values (1)`,
    sql`insert into consensus_merges (image_id, user_id, created, deleted) values (1, 1, ${odd}::jsonb, '[]')`,
    sql`insert into webhooks (dataset_id, url, secret, events) values (1, 'https://example.org/', ${"s\u2028ecret"}, '["task.ended"]')`,
    sql`insert into migrated_rows (source, collection, old_id, new_id, details)
      values ('00000000-0000-4000-8000-000000000002', 'image_model', '7', 1, ${odd}::jsonb)`,
    sql`insert into comments (uuid, image_id, x, y, box, text, user_id, user_name, mentions, created_at, resolved_at, resolved_by)
      values ('00000000-0000-4000-8000-000000000003', 1, 0.1, 1e-9, '[0.1,0.2,3,4]', ${'<b>@bob</b> \\N "é"\n💡 \u202eabc'}, 1, 'anna', '{2}',
        '2026-03-29 01:30:00.123+00', now(), 'bob')`,
    sql`insert into comments (uuid, image_id, thread, text, user_name, created_at, deleted_at)
      values ('00000000-0000-4000-8000-000000000004', 1, '00000000-0000-4000-8000-000000000003', 'reply', 'bob', now(), now())`,
    sql`insert into comment_reads values (2, '00000000-0000-4000-8000-000000000003', '2026-03-29 01:30:00.123456+00')`,
    sql`delete from images where id > 2490`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Returns all rows of all tables as text, and the current values of the id sequences. */
export async function readAllTables(db: Kysely<Schema>): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name } of await listTables(db)) {
    const { rows } = await sql<{
      row: string;
    }>`select row_to_json(t)::text as row from ${sql.table(name)} as t`.execute(db);
    all[name] = rows.map(({ row }) => row).sort();
  }
  const { rows } = await sql<{ row: string }>`select sequencename || ' ' || last_value as row from pg_sequences
    where last_value is not null and sequencename not like 'socket%' order by 1`.execute(db);
  all.sequences = rows.map(({ row }) => row);
  return all;
}
