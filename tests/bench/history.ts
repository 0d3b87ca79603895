import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../../server/db/schema";
import { loadPhotographs } from "../support/photographs";
import { newFolder } from "../support/runFolder";
import type { Bed } from "./bed";
import { launchBrowser } from "./browser";
import { type Figure, timed } from "./figures";
import { p99, seededRandom } from "./latencies";
import { polygon, vacuum } from "./seed";
import { median } from "./sideBySide";

const EDITS = 10_000;
const ANNOTATIONS = 200;
const OPENINGS = 7;
const MOMENTS = 40;
const OPEN_MS = 1_000;
const MOMENT_MS = 1_000;

/**
 * Measures the history of an image with 10,000 edits: opening it in Chromium, and any moment as the server returns it.
 */
export async function history(bed: Bed): Promise<Figure[]> {
  const folder = newFolder("photographs");
  try {
    const { id } = await bed.client.send<{ id: number }>("POST", "dataset/?name=history", {});
    const { files } = await loadPhotographs(folder);
    const form = new FormData();
    form.append("dataset_id", String(id));
    form.append("image", new Blob([new Uint8Array(readFileSync(files[0] ?? ""))]), "image.jpg");
    const image = Number(await (await bed.client.fetch("POST", "image/", form)).text());
    await bed.rows(({ db }) => seedHistory(db, id, image));
    return [await moments(bed, image), await openings(bed, image)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes 200 annotations of 60 points and 10,000 edits of them, one a minute, as edits leave them in the tables. */
async function seedHistory(db: Kysely<Schema>, datasetId: number, imageId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into categories (name, color) values ('history', '#336699') returning id`.execute(db);
  const category = rows[0]?.id ?? 0;
  await db.insertInto("dataset_categories").values({ dataset_id: datasetId, category_id: category }).execute();
  const uuids = Array.from({ length: ANNOTATIONS }, () => randomUUID());
  const began = Date.now() - EDITS * 60_000;
  const entries = Array.from({ length: EDITS }, (_, number) => {
    const uuid = uuids[number % ANNOTATIONS]!;
    const revision = 1 + Math.floor(number / ANNOTATIONS);
    const shape = { rings: [[polygon(number)]], isbbox: false, iscrowd: false, area: 1234, bbox: [1, 2, 3, 4] };
    const first = {
      id: null,
      image_id: imageId,
      category_id: category,
      color: "#336699",
      metadata: {},
      attributes: {},
    };
    return {
      image_revision: number + 2,
      subject_id: uuid,
      revision,
      action: revision === 1 ? "create" : "modify",
      fields: revision === 1 ? { ...first, ...shape, rle: null, keypoints: null, creator: "bench" } : shape,
      at: new Date(began + number * 60_000).toISOString(),
    };
  });
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < EDITS; from += 1_000)
      await sql`
        insert into edit_history (image_id, image_revision, subject, subject_id, revision, action, fields, client,
          user_name, created_at)
        select ${imageId}::int, x.image_revision, 'annotation', x.subject_id, x.revision, x.action, x.fields, 'bench-client',
          'bench', x.at
        from json_to_recordset(${JSON.stringify(entries.slice(from, from + 1_000))}::json) as x(image_revision int,
          subject_id text, revision int, action text, fields json, at timestamptz)`.execute(trx);
    await sql`
      insert into annotations (uuid, image_id, category_id, color, shape, area, bbox, revision, creator_name, created_at)
      select distinct on (h.subject_id) h.subject_id::uuid, ${imageId}::int, ${category}::int, '#336699',
        ('{"rings":' || (h.fields -> 'rings')::text || '}')::json, 1234, '[1,2,3,4]', h.revision, 'bench', ${new Date(began)}
      from edit_history h where h.image_id = ${imageId}::int order by h.subject_id, h.revision desc`.execute(trx);
    await trx
      .updateTable("images")
      .set({ revision: EDITS + 1, annotated: true, num_annotations: ANNOTATIONS })
      .where("id", "=", imageId)
      .execute();
  });
  await vacuum(db, "edit_history");
}

/** Measures from the key to the first painted list of steps. */
async function openings({ server: { url }, kind }: Bed, image: number): Promise<Figure> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await context.request.post(`${url}api/user/login`, {
      data: { username: "bench", password: "bench-password" },
      headers: { Origin: new URL(url).origin },
    });
    const times: number[] = [];
    for (let round = -1; round < OPENINGS; round++) {
      // Opens the image anew, so that no response is cached.
      await page.goto(`${url}annotate/${image}`);
      await page.getByRole("application").waitFor();
      await page.getByRole("application").focus();
      const ms = await page.evaluate(async () => {
        const started = performance.now();
        const press = { key: "T", code: "KeyT", shiftKey: true, bubbles: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", press));
        document.activeElement?.dispatchEvent(new KeyboardEvent("keyup", press));
        while (!document.querySelector("[role=option]")) await new Promise((next) => requestAnimationFrame(next));
        return performance.now() - started;
      });
      if (round >= 0) times.push(ms);
    }
    return {
      what: `Opening the history of an image with ${EDITS.toLocaleString("en")} edits in Chromium, ${kind}`,
      ours: `median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
      peer: "-",
      ratio: null,
      goal: `at most ${OPEN_MS} ms`,
      met: Math.max(...times) <= OPEN_MS,
    };
  } finally {
    await browser.close();
  }
}

async function moments({ client, kind }: Bed, image: number): Promise<Figure> {
  const random = seededRandom(3);
  const times: number[] = [];
  for (let round = -3; round < MOMENTS; round++) {
    const revision = 2 + Math.floor(random() * EDITS);
    const path = `annotator/history/${image}/moment?revision=${revision}`;
    const { ms, value } = await timed(() => client.get<{ annotations: unknown[]; unknown: unknown[] }>(path));
    const expected = Math.min(ANNOTATIONS, revision - 1);
    if (value.annotations.length !== expected || value.unknown.length > 0)
      throw new Error(`${value.annotations.length} annotations at revision ${revision}, not ${expected}`);
    if (round >= 0) times.push(ms);
  }
  return {
    what: `Any moment of an image with ${EDITS.toLocaleString("en")} edits of ${ANNOTATIONS} annotations, ${kind}`,
    ours: `median ${median(times).toFixed(0)} ms, p99 ${p99(times).toFixed(0)} ms`,
    peer: "-",
    ratio: null,
    goal: `p99 at most ${MOMENT_MS} ms`,
    met: p99(times) <= MOMENT_MS,
  };
}
