import { type Kysely, sql } from "kysely";
import type { Finding } from "../../../../shared/quality/finding";
import { BLANK_CONTRAST } from "../../../../shared/quality/images/imagePrint";
import { splitOf } from "../../../../shared/quality/images/splitOf";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import type { FileLine } from "./compare/rowsCompared";
import { compareInThread } from "./compareInThread";

/** Number of rows read at once, so that reading them hardly delays the server's other work. */
const PAGE = 2_000;

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
  const findings: Finding[] = [];
  async function* files() {
    for await (const lines of pages(db, datasetId)) {
      for (const line of lines) findings.push(...findingsOf(line));
      yield lines.map((line) => fileOf(line, names));
    }
  }
  const compared = await compareInThread("files", files(), signal);
  return [findings, compared].flat();
}

const isBlank = ({ contrast }: Line): boolean => contrast !== null && contrast <= BLANK_CONTRAST;

/** Returns the findings about the file alone. */
function findingsOf(line: Line): Finding[] {
  const { id: image, problem, contrast, orientation } = line;
  const findings: Finding[] = [];
  if (problem !== null) findings.push({ kind: "unreadable", image, score: 1, details: { problem } });
  if (contrast !== null && isBlank(line))
    findings.push({ kind: "blank", image, score: -contrast, details: { contrast } });
  if (orientation !== 1) findings.push({ kind: "turned", image, score: orientation, details: { orientation } });
  return findings;
}

function fileOf(line: Line, names: ReadonlyMap<number, string>): FileLine {
  const { id, folder, path_key: key, hash, problem, done: isDone, num_annotations } = line;
  const labels = line.labels.flatMap((label) => names.get(label) ?? []);
  const print = problem === null && !isBlank(line) ? line.print : null;
  const split = splitOf(line.path, labels);
  return { id, folder, key, hash, print, split, isDone, hasAnnotations: num_annotations > 0 };
}

async function categoryNames(db: Kysely<Schema>, datasetId: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from categories join dataset_categories on category_id = id
    where dataset_id = ${datasetId}::integer`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function* pages(db: Kysely<Schema>, datasetId: number): AsyncGenerator<Line[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Line>`
      select i.id, i.path, i.folder, i.path_key, i.hash, i.labels, i.orientation, i.done, i.num_annotations,
        q.print, q.contrast, q.problem
      from images i left join quality_images q on q.image_id = i.id
      where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")} and i.id > ${last}::integer
      order by i.id limit ${PAGE}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)!.id;
  }
}
