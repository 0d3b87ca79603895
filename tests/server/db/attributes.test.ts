import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../../server/db/migrate";
import { openServerWithoutTimeouts } from "../../../server/db/open/database";
import type { Schema } from "../../../server/db/schema";
import { createServerDatabase, describeOnServer, dropServerDatabase } from "../../support/databases";
import { openWithoutTables } from "../../support/installedFolder";

const extras = [
  null,
  { attributes: { occluded: true }, score: 1 },
  { attributes: { a: null } },
  { attributes: ["odd"] },
];

function movesAttributes(open: () => Promise<{ db: Kysely<Schema>; close(): Promise<void> }>) {
  let db: Kysely<Schema>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
    await migrate(db, "0029-folded-text");
  });
  afterAll(() => close());

  it("moves imported attributes out of the unknown keys, unless they are not values by name", async () => {
    await sql`insert into datasets (name, folder) values ('d', 'd')`.execute(db);
    await sql`insert into categories (name, color) values ('c', '#000000')`.execute(db);
    await sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
      values (1, 'a.jpg', '', 'a.jpg', 3, 2, 'image/jpeg', 1, 0, 'h')`.execute(db);
    for (const extra of extras)
      await sql`insert into annotations (image_id, category_id, color, extra)
        values (1, 1, '#000000', ${extra && JSON.stringify(extra)})`.execute(db);
    await migrate(db);
    const rows = await db.selectFrom("annotations").select(["attributes", "extra"]).orderBy("id").execute();
    expect(rows).toEqual([
      { attributes: null, extra: null },
      { attributes: { occluded: true }, extra: { score: 1 } },
      { attributes: { a: null }, extra: null },
      { attributes: null, extra: { attributes: ["odd"] } },
    ]);
  });
}

describe("moved attributes (embedded)", () => movesAttributes(openWithoutTables));

describeOnServer("moved attributes", () => {
  let url: string;
  afterAll(() => dropServerDatabase(url));
  movesAttributes(async () => {
    url = await createServerDatabase("template0");
    return openServerWithoutTimeouts(url);
  });
});
