import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../../server/db/migrate";
import { openServerWithoutTimeouts } from "../../../server/db/open/database";
import type { Schema } from "../../../server/db/schema";
import { createServerDatabase, describeOnServer, dropServerDatabase } from "../../support/databases";
import { openWithoutTables } from "../../support/installedFolder";

function hasNamesByOwner(open: () => Promise<{ db: Kysely<Schema>; close(): Promise<void> }>) {
  let db: Kysely<Schema>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
  });
  afterAll(() => close());

  let folder = 0;
  const add = (name: string, owner: number | null) =>
    sql`insert into datasets (name, folder, owner_id) values (${name}, ${`f${++folder}`}, ${owner})`.execute(db);

  it("keeps the names of a database of the version before, and makes them unique by owner", async () => {
    await migrate(db, "0027-reserved-category-ids");
    await sql`insert into users (username) values ('ann'), ('bob')`.execute(db);
    // These are equal since migration 0029, which left the later one outside its index.
    await add("caf\u00e9", 1);
    await add("cafe\u0301", 1);
    await migrate(db, "0031-boxes-before");
    await add("Birds", 1);
    await expect(add("birds", 2)).rejects.toMatchObject({ constraint: "datasets_name" });

    await migrate(db);
    await add("birds", 2);
    await expect(add("BIRDS", 1)).rejects.toMatchObject({ constraint: "datasets_name" });
    await expect(add("CAF\u00c9", 1)).rejects.toMatchObject({ constraint: "datasets_name" });
    for (const name of ["Birds", "birds"]) await add(name, null);
    const { rows } = await sql<{ name: string }>`select name from datasets order by id`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(["caf\u00e9", "cafe\u0301", "Birds", "birds", "Birds", "birds"]);
  });
}

describe("names of datasets (embedded)", () => hasNamesByOwner(openWithoutTables));

describeOnServer("names of datasets", () => {
  let url: string;
  afterAll(() => dropServerDatabase(url));
  hasNamesByOwner(async () => {
    url = await createServerDatabase("template0");
    return openServerWithoutTimeouts(url);
  });
});
