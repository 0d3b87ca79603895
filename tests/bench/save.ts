import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema } from "../../server/db/schema";
import type { Bed } from "./bed";
import { type Figure, perSecond, rate, timed } from "./figures";
import { polygon, seedImages } from "./seed";

const EDITS = 50;
const POINTS = 40;
const BATCHES = 60;

interface Subject {
  uuid: string;
  id: number;
  revision: number;
}

/**
 * Measures batches of 50 changed shapes through the API, beside the same writes as plain SQL in one transaction per
 * batch.
 */
export async function save(bed: Bed): Promise<Figure> {
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=save", { categories: ["bench save"] });
  await bed.rows(({ db }) => seedImages(db, dataset.id, 1));
  const list = await bed.client.get<{ images: { id: number }[]; categories: { id: number }[] }>(
    `dataset/${dataset.id}/data`,
  );
  const imageId = list.images[0]?.id ?? 0;
  const categoryId = list.categories[0]?.id ?? 0;
  const subjects = await makeAnnotations(bed, imageId, categoryId);

  await saveBatches(bed, imageId, subjects, 5);
  const ours = await timed(() => saveBatches(bed, imageId, subjects, BATCHES));
  const peer = await bed.rows(async ({ db }) => {
    await writeBatches(db, imageId, subjects, 5);
    return timed(() => writeBatches(db, imageId, subjects, BATCHES));
  });

  const ourRate = perSecond(BATCHES, ours.ms);
  const peerRate = perSecond(BATCHES, peer.ms);
  const goal = bed.kind === "PostgreSQL" ? "at least 0.33" : "none; safe against kill -9, not against a power cut";
  return {
    what: `Save of ${EDITS} edits of ${POINTS} points, one after another, ${bed.kind}${bed.kind === "PostgreSQL" ? " with fsync" : ""}`,
    ours: rate(ourRate, "batches"),
    peer: `${rate(peerRate, "batches")}: the same writes as bare SQL, one transaction a batch`,
    ratio: ourRate / peerRate,
    goal,
    met: bed.kind === "embedded" || ourRate / peerRate >= 1 / 3,
  };
}

async function makeAnnotations(bed: Bed, imageId: number, categoryId: number): Promise<Subject[]> {
  const edits = Array.from({ length: EDITS }, (_, i) => ({
    uuid: randomUUID(),
    image_id: imageId,
    base: 0,
    subject: "annotation",
    target: randomUUID(),
    action: "create",
    before: {},
    after: {
      category_id: categoryId,
      rings: [[polygon(i, POINTS)]],
      isbbox: false,
      color: "#336699",
      metadata: {},
      keypoints: null,
    },
  }));
  const answers = await send(bed, edits);
  return answers.map((answer, i) => ({ uuid: edits[i]?.target ?? "", id: answer.id, revision: answer.revision }));
}

async function saveBatches(bed: Bed, imageId: number, subjects: Subject[], batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    const edits = subjects.map((subject, i) => ({
      uuid: randomUUID(),
      image_id: imageId,
      base: subject.revision,
      subject: "annotation",
      target: subject.uuid,
      action: "modify",
      before: {},
      after: { rings: [[polygon(batch * EDITS + i, POINTS)]], isbbox: false },
    }));
    const answers = await send(bed, edits);
    subjects.forEach((subject, i) => {
      subject.revision = answers[i]?.revision ?? 0;
    });
  }
}

async function send(bed: Bed, edits: unknown[]): Promise<{ id: number; revision: number }[]> {
  const body = { client: "bench-client", edits };
  const { answers } = await bed.client.send<{ answers: { status: string; id: number; revision: number }[] }>(
    "POST",
    "annotator/edits",
    body,
  );
  const bad = answers.find(({ status }) => status !== "applied");
  if (bad) throw new Error(JSON.stringify(bad));
  return answers;
}

/**
 * Writes fifty changed rows, their history, their results, and the image's revision, which is what a batch leaves in
 * the tables.
 */
async function writeBatches(db: Kysely<Schema>, imageId: number, subjects: Subject[], batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    await db.transaction().execute(async (trx) => {
      const image = await trx
        .updateTable("images")
        .set((eb) => ({ revision: eb("revision", "+", EDITS) }))
        .where("id", "=", imageId)
        .returning("revision")
        .executeTakeFirstOrThrow();
      for (const [i, subject] of subjects.entries()) {
        const edit = randomUUID();
        const rings = [[polygon(batch * EDITS + i + 7, POINTS)]];
        subject.revision += 1;
        await trx
          .updateTable("annotations")
          .set({
            shape: JSON.stringify({ rings }),
            area: 1234,
            bbox: "[1,2,3,4]",
            isbbox: false,
            revision: subject.revision,
          })
          .where("id", "=", subject.id)
          .execute();
        await trx
          .insertInto("edit_history")
          .values({
            image_id: imageId,
            image_revision: image.revision - EDITS + i + 1,
            subject: "annotation",
            subject_id: subject.uuid,
            revision: subject.revision,
            action: "modify",
            fields: JSON.stringify({ rings, isbbox: false }),
            edit,
            client: "bench-client",
            user_name: "bench",
          })
          .execute();
        await trx
          .insertInto("edits")
          .values({
            uuid: edit,
            client: "bench-client",
            answer: JSON.stringify({ uuid: edit, status: "applied", revision: subject.revision }),
          })
          .execute();
      }
    });
  }
}
