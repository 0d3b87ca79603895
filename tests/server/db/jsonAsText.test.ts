import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../../server/db/migrate";
import { openServerWithoutTimeouts } from "../../../server/db/open/database";
import type { Schema } from "../../../server/db/schema";
import { createServerDatabase, describeOnServer, dropServerDatabase } from "../../support/databases";
import { openWithoutTables } from "../../support/installedFolder";

/** As read from jsonb. */
const shapes = [
  null,
  [],
  [[]],
  [
    [1, 2.5, -3, 4, 5, 1e-7],
    [7.25, 8, 9, 10, 11, 12],
  ],
  {
    rings: [
      [
        [0, 0, 9, 0, 9, 9.125],
        [1, 1, 2, 2, 1, 2],
      ],
    ],
  },
  { size: [2, 3], counts: [0, 6] },
  { counts: '0a: , \\`b"', size: [2, 3] },
];

/** As written by JSON.stringify. */
const texts = [
  null,
  "[]",
  "[[]]",
  "[[1,2.5,-3,4,5,0.0000001],[7.25,8,9,10,11,12]]",
  '{"rings":[[[0,0,9,0,9,9.125],[1,1,2,2,1,2]]]}',
  '{"size":[2,3],"counts":[0,6]}',
  JSON.stringify({ size: [2, 3], counts: '0a: , \\`b"' }),
];

const fieldsOf = (shape: unknown) => ({ rings: shape, color: "#000000" });

function keepsEveryValue(open: () => Promise<{ db: Kysely<Schema>; close(): Promise<void> }>) {
  let db: Kysely<Schema>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
    await migrate(db, "0014-task-followers");
  });
  afterAll(() => close());

  it("keeps every shape and every changed field that was stored as jsonb", async () => {
    await sql`insert into datasets (name, folder) values ('d', 'd')`.execute(db);
    await sql`insert into categories (name, color) values ('c', '#000000')`.execute(db);
    await sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
      values (1, 'a.jpg', '', 'a.jpg', 3, 2, 'image/jpeg', 1, 0, 'h')`.execute(db);
    for (const shape of shapes)
      await sql`insert into annotations (image_id, category_id, color, shape)
        values (1, 1, '#000000', ${shape && JSON.stringify(shape)})`.execute(db);
    for (const [i, shape] of shapes.entries())
      await sql`insert into edit_history (subject, subject_id, revision, action, fields)
        values ('annotation', 'a', ${i + 1}, 'modify', ${JSON.stringify(fieldsOf(shape))})`.execute(db);
    await migrate(db);
    const { rows } = await sql<{ text: string; shape: unknown }>`
      select shape::text as text, shape from annotations order by id`.execute(db);
    expect(rows.map(({ text }) => text)).toEqual(texts);
    expect(rows.map(({ shape }) => shape)).toEqual(shapes);
    const history = await db.selectFrom("edit_history").select("fields").orderBy("revision").execute();
    expect(history.map(({ fields }) => fields)).toEqual(shapes.map(fieldsOf));
    const type = sql<{ type: string }>`select distinct pg_typeof(fields)::text as type from edit_history`;
    expect((await type.execute(db)).rows).toEqual([{ type: "json" }]);
  });
}

describe("JSON as text (embedded)", () => keepsEveryValue(openWithoutTables));

describeOnServer("JSON as text", () => {
  let url: string;
  afterAll(() => dropServerDatabase(url));
  keepsEveryValue(async () => {
    url = await createServerDatabase("template0");
    return openServerWithoutTimeouts(url);
  });
});
