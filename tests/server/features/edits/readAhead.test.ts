import { beforeAll, beforeEach, expect, test } from "vitest";
import { transaction } from "../../../../server/db/transaction";
import type { ServerEdit } from "../../../../server/features/annotations/rows/serverEdit";
import { parseEdit } from "../../../../server/features/edits/parseEdit";
import { readAhead } from "../../../../server/features/edits/readAhead";
import { storeEdits } from "../../../../server/features/edits/storeEdits";
import { measureWithLines } from "../../../../shared/coco/measure";
import { sumMove } from "../../../../shared/edits/moves/storedMove";
import { translateRings } from "../../../../shared/geometry/polygons";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";
import { annotationRow, type EditFixture, imageRow, makeEditFixture, square, Tab } from "./editFixture";

describeOnBothDatabases("moves read ahead of their transaction", (open) => {
  let db: TestDatabase["db"];
  let fixture: EditFixture;
  let tab: Tab;
  beforeAll(async () => {
    db = (await open()).db;
  });
  beforeEach(async () => {
    fixture = await makeEditFixture(db);
    tab = new Tab(db, fixture);
  });

  test("are stored if the shape is still the same", async () => {
    const uuid = await createSquare();
    const moves = [moveOf(uuid, 10, 13), moveOf(uuid, 13, 14)];
    const ahead = await readAhead(db, moves);
    expect(ahead.get(uuid)).toMatchObject({ before: square(10, 10, 20), after: square(13, 10, 20) });
    expect(await store(moves, ahead)).toEqual(["applied", "applied"]);
    expect(await annotationRow(db, uuid)).toMatchObject({ shape: { rings: square(14, 10, 20) }, area: 400 });
  });

  test("are refused if the shape changed meanwhile, and other changes are kept", async () => {
    const uuid = await createSquare();
    const move = moveOf(uuid, 10, 13);
    const before = await readAhead(db, [move]);
    await tab.send([tab.edit(uuid, "modify", 1, { color: "#00ff00" })]);
    const between = await readAhead(db, [move]);
    expect(await store([move], before)).toEqual(["applied"]);
    expect(await annotationRow(db, uuid)).toMatchObject({ color: "#00ff00", shape: { rings: square(13, 10, 20) } });
    const [repeated] = await store([{ ...moveOf(uuid, 10, 15) }], between);
    expect(repeated).toBe("refused");
    expect(await annotationRow(db, uuid)).toMatchObject({ shape: { rings: square(13, 10, 20) } });
  });

  test("leave out shapes that are not the moved one, that are absent, and that are long", async () => {
    const uuid = await createSquare();
    const long = Array.from({ length: 6_000 }, (_, i) => (i % 2 ? 20 + (i % 7) : i / 200));
    const created = tab.create({ rings: [[long]] });
    await tab.send([created]);
    const moves = [moveOf(uuid, 11, 12), moveOf(crypto.randomUUID(), 10, 12)];
    const longMove = sumMove({
      ...tab.edit(created.target, "modify", 1, { rings: [[long.map((at, i) => at + (i % 2 ? 0 : 3))]] }),
      before: { rings: [[long]] },
    });
    expect((await readAhead(db, [...moves, parsed(longMove)])).size).toBe(0);
    expect(await tab.sendOne(longMove)).toMatchObject({ status: "applied", revision: 2 });
  });

  test("are measured by a thread if they are heavy in total", async () => {
    const outline = (i: number) => [[Array.from({ length: 800 }, (_, k) => ((k * 7919 + i * 31) % 900) + (k % 3) / 4)]];
    const created = Array.from({ length: 60 }, (_, i) => tab.create({ rings: outline(i) }));
    await tab.send(created);
    const moved = created.map(({ target }, i) =>
      sumMove({
        ...tab.edit(target, "modify", 1, { rings: translateRings(outline(i), 1, 0) }),
        before: { rings: outline(i) },
      }),
    );
    const answers = await tab.send(moved);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["applied"]));
    const { width, height } = await imageRow(db, fixture.imageId);
    for (const i of [0, 59]) {
      const { area } = measureWithLines(translateRings(outline(i), 1, 0), width, height);
      expect(await annotationRow(db, created[i]!.target)).toMatchObject({ area, revision: 2 });
    }
  });

  async function createSquare(): Promise<string> {
    const created = tab.create();
    await tab.send([created]);
    return created.target;
  }

  function moveOf(uuid: string, from: number, to: number): ServerEdit {
    const edit = tab.edit(uuid, "modify", 1, { rings: square(to, 10, 20) });
    return parsed(sumMove({ ...edit, before: { rings: square(from, 10, 20) } }));
  }

  function parsed(sent: unknown): ServerEdit {
    const result = parseEdit(sent);
    if (!("edit" in result)) throw new Error("The edit is invalid.");
    return result.edit;
  }

  async function store(edits: readonly ServerEdit[], ahead: Awaited<ReturnType<typeof readAhead>>) {
    const author = { user: tab.user, client: tab.client };
    const { answers } = await transaction(db, (trx) => storeEdits(trx, author, edits, [], ahead));
    return answers.map(({ status }) => status);
  }
});
