import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPatientServer } from "../../../server/db/database";
import { openPglite } from "../../../server/db/embedded";
import { migrate } from "../../../server/db/migrate";
import type { Schema } from "../../../server/db/schema";
import { createServerDatabase, describeOnServer, dropServerDatabase } from "../../support/databases";

/** As jsonb had them. */
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

/** As JSON.stringify writes what jsonb says. */
const texts = [
  null,
  "[]",
  "[[]]",
  "[[1,2.5,-3,4,5,0.0000001],[7.25,8,9,10,11,12]]",
  '{"rings":[[[0,0,9,0,9,9.125],[1,1,2,2,1,2]]]}',
  '{"size":[2,3],"counts":[0,6]}',
  JSON.stringify({ size: [2, 3], counts: '0a: , \\`b"' }),
];

function keepsEveryShape(open: () => Promise<{ db: Kysely<Schema>; close(): Promise<void> }>) {
  let db: Kysely<Schema>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
    await migrate(db, "0014-task-followers");
  });
  afterAll(() => close());

  it("keeps every shape that was stored as jsonb, as text without blanks", async () => {
    await sql`insert into datasets (name, folder) values ('d', 'd')`.execute(db);
    await sql`insert into categories (name, color) values ('c', '#000000')`.execute(db);
    await sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
      values (1, 'a.jpg', '', 'a.jpg', 3, 2, 'image/jpeg', 1, 0, 'h')`.execute(db);
    for (const shape of shapes)
      await sql`insert into annotations (image_id, category_id, color, shape)
        values (1, 1, '#000000', ${shape && JSON.stringify(shape)})`.execute(db);
    await migrate(db);
    const { rows } = await sql<{ text: string; shape: unknown }>`
      select shape::text as text, shape from annotations order by id`.execute(db);
    expect(rows.map(({ text }) => text)).toEqual(texts);
    expect(rows.map(({ shape }) => shape)).toEqual(shapes);
  });
}

describe("shapes as text (embedded)", { timeout: 120_000 }, () =>
  keepsEveryShape(() => openPglite({}, () => undefined)),
);

describeOnServer("shapes as text", () => {
  let url: string;
  afterAll(() => dropServerDatabase(url));
  keepsEveryShape(async () => {
    url = await createServerDatabase("template0");
    return openPatientServer(url);
  });
});
