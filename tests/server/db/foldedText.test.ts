import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../../server/db/migrate";
import { openServerWithoutTimeouts } from "../../../server/db/open/database";
import { nameKeyOf, pathKeyOf } from "../../../server/db/rows/images";
import type { Schema } from "../../../server/db/schema";
import { newImagePath } from "../../../server/files/paths/safePath";
import { foldName, foldText, sortKey } from "../../../shared/text/fold";
import { createServerDatabase, describeOnServer, dropServerDatabase } from "../../support/databases";
import { openWithoutTables } from "../../support/installedFolder";
import { seededRandom } from "../../support/seededRandom";

/** All letters with a case, and texts of every kind; each alone and between others. */
const LETTERS = Array.from({ length: 0x2fff - 0x20 }, (_, i) => String.fromCharCode(0x20 + i));
const TEXTS = [
  ...LETTERS.map((letter) => `X${letter}y${letter}`),
  ...["cafe\u0301 007", "Straße 12", "İzmir", "ﬁ ＡＢ１２", "はば", "हिन्दी", "한국 10", "\u{1f600}\u{10400}9", "ẞ ΣΑΣ"],
  ...["img2.jpg", "IMG010.JPG", "0", "000", "1".repeat(19), "1".repeat(20), `0${"1".repeat(20)}`, "1".repeat(45)],
  ...["a1b22c333", "2024-01-31 12.05.jpg", "", "'\\%_"],
];

function foldsAlike(open: () => Promise<{ db: Kysely<Schema>; close(): Promise<void> }>) {
  let db: Kysely<Schema>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await open());
    await migrate(db, "0027-reserved-category-ids");
  });
  afterAll(() => close());

  it("keeps existing names that are now equal, refuses new ones, and fills the columns of images", async () => {
    await sql`insert into users (username) values ('ann')`.execute(db);
    const addCategory = (name: string) =>
      sql`insert into categories (name, color, creator_id) values (${name}, '#000000', 1)`.execute(db);
    const addDataset = (name: string, folder: string) =>
      sql`insert into datasets (name, folder, owner_id) values (${name}, ${folder}, 1)`.execute(db);
    for (const name of ["caf\u00e9", "cafe\u0301", "cow"]) await addCategory(name);
    await addDataset("caf\u00e9", "a");
    await addDataset("cafe\u0301", "b");
    await sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
      values (1, 'x/Cafe\u0301 7.jpg', 'x/', 'Cafe\u0301 7.jpg', 3, 2, 'image/jpeg', 1, 0, 'h')`.execute(db);

    await migrate(db);
    const { rows } = await sql<{ name: string }>`select name from categories order by id`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(["caf\u00e9", "cafe\u0301", "cow"]);
    await expect(addCategory("CAFE\u0301")).rejects.toMatchObject({ constraint: "categories_name" });
    await expect(addCategory("Cow")).rejects.toMatchObject({ constraint: "categories_name" });
    await expect(addDataset("CAF\u00c9", "c")).rejects.toMatchObject({ constraint: "datasets_name" });
    await addCategory("cafe");
    const filled = await db.selectFrom("images").select(["file_name", "search_name", "name_key", "path_key"]).execute();
    expect(filled).toEqual([
      {
        file_name: "Cafe\u0301 7.jpg",
        search_name: "cafe 7.jpg",
        name_key: sortKey("Cafe\u0301 7.jpg"),
        path_key: sortKey("x/Cafe\u0301 7.jpg"),
      },
    ]);
  });

  it("accepts the longest names, whatever they are folded to", async () => {
    const next = seededRandom(1);
    const random = (from: number, to: number) => String.fromCodePoint(from + Math.floor(next() * (to - from)));
    const names = [
      // Each is folded to 18 letters.
      () => "\ufdfa".repeat(80),
      // Each is decomposed to three letters of three bytes.
      () => Array.from({ length: 80 }, () => random(0xac01, 0xac1b)).join(""),
      () => Array.from({ length: 80 }, () => random(0x4e00, 0x9fff)).join(""),
      () => Array.from({ length: 60 }, () => random(0x20000, 0x2a6df)).join(""),
      () => Array.from({ length: 120 }, (_, i) => `${i % 10}${random(97, 123)}`).join(""),
    ];
    for (const name of names) {
      const path = Array.from({ length: 4 }, name).join("/");
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      const file = path.slice(folder.length);
      expect(newImagePath(folder, file)).toBe(path);
      await sql`insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
        values (1, ${path}, ${folder}, ${file}, 3, 2, 'image/jpeg', 1, 0, 'h')`.execute(db);
      const query = db.selectFrom("images").select(["name_key", "path_key"]).where("path", "=", path);
      expect(await query.executeTakeFirst()).toEqual({ name_key: nameKeyOf(file), path_key: pathKeyOf(path) });
    }
    expect(() => newImagePath("\u4e00".repeat(80).concat("/").repeat(5), "x.png")).toThrow("too long");
  });

  it("folds text as the browser does", async () => {
    const { rows } = await sql<{ name: string; text: string; key: string }>`
      select fold_name(t) as name, fold_text(t) as text, sort_key(t) as key
      from unnest(${TEXTS}::text[]) with ordinality as texts (t, place) order by place`.execute(db);
    const ours = TEXTS.map((text) => ({ name: foldName(text), text: foldText(text), key: sortKey(text) }));
    expect(rows.filter((row, i) => JSON.stringify(row) !== JSON.stringify(ours[i]))).toEqual([]);
  });
}

describe("folded text (embedded)", () => foldsAlike(openWithoutTables));

describeOnServer("folded text", () => {
  let url: string;
  afterAll(() => dropServerDatabase(url));
  foldsAlike(async () => {
    url = await createServerDatabase("template0");
    return openServerWithoutTimeouts(url);
  });
});
