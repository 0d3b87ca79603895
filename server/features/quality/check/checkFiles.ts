import { type Kysely, sql } from "kysely";
import type { Finding } from "../../../../shared/quality/finding";
import { BLANK_CONTRAST } from "../../../../shared/quality/images/imagePrint";
import type { ComparedImage } from "../../../../shared/quality/images/similarFindings";
import { splitOf } from "../../../../shared/quality/images/splitOf";
import { findUnlabelled } from "../../../../shared/quality/images/unlabelled";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import { withCheckThread } from "./checkThread";

const PAGE = 5_000;

interface Line {
  id: number;
  path: string;
  folder: string;
  path_key: string;
  hash: string;
  labels: number[];
  orientation: number;
  done: boolean;
  num_annotations: number;
  print: string | null;
  contrast: number | null;
  problem: string | null;
}

/** Compares the images of a dataset with each other, after all of them have been read. */
export async function checkFiles(db: Kysely<Schema>, datasetId: number, signal: AbortSignal): Promise<Finding[]> {
  const names = await categoryNames(db, datasetId);
  const compared: ComparedImage[] = [];
  const listed: { id: number; folder: string; key: string; hasAnnotations: boolean; isDone: boolean }[] = [];
  const findings: Finding[] = [];
  for await (const line of lines(db, datasetId)) {
    signal.throwIfAborted();
    const { id, folder, path_key: key, problem, contrast, orientation, done: isDone } = line;
    const isBlank = contrast !== null && contrast <= BLANK_CONTRAST;
    if (problem !== null) findings.push({ kind: "unreadable", image: id, score: 1, details: { problem } });
    if (isBlank) findings.push({ kind: "blank", image: id, score: -contrast, details: { contrast } });
    if (orientation !== 1) findings.push({ kind: "turned", image: id, score: orientation, details: { orientation } });
    const labels = line.labels.flatMap((label) => names.get(label) ?? []);
    const print = problem === null && !isBlank ? line.print : null;
    compared.push({ id, hash: line.hash, print, split: splitOf(line.path, labels) });
    listed.push({ id, folder, key, hasAnnotations: line.num_annotations > 0, isDone });
  }
  listed.sort((a, b) => compare(a.folder, b.folder) || compare(a.key, b.key) || a.id - b.id);
  findings.push(...findUnlabelled(listed));
  findings.push(...(await withCheckThread((thread) => thread.ask({ compared }, { signal }))));
  return findings;
}

async function categoryNames(db: Kysely<Schema>, datasetId: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from categories join dataset_categories on category_id = id
    where dataset_id = ${datasetId}::integer`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function* lines(db: Kysely<Schema>, datasetId: number): AsyncGenerator<Line> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Line>`
      select i.id, i.path, i.folder, i.path_key, i.hash, i.labels, i.orientation, i.done, i.num_annotations,
        q.print, q.contrast, q.problem
      from images i left join quality_images q on q.image_id = i.id
      where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")} and i.id > ${last}::integer
      order by i.id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    yield* rows;
    last = rows.at(-1)!.id;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
