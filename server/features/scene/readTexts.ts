import { type Kysely, sql } from "kysely";
import type { AnnotatorData } from "../../../shared/api/annotator";
import { toPaperJson } from "../../../shared/geometry/paperJson";
import { preparedStatement } from "../../db/preparedStatements";
import type { AnnotationRow, Schema } from "../../db/schema";
import { jsonInTurns } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";
import { annotationDocument } from "../annotations/rows/annotationDocument";
import { isEmpty } from "../annotations/rows/annotationRow";
import { withMeasuring } from "../measuring/measuring";
import { type AnnotationTextRow, annotationText } from "./annotationText";
import type { SceneShape } from "./frame";
import { isInScene, type SceneHead, versionText } from "./readHead";

/** The annotations of a scene, ready to be written as JSON. */
export interface SceneTexts {
  /** In the form of the head's `versions`. They are equal if nothing changed in between. */
  versions: string;
  /** Returns their JSON by category id. May wait for a thread that traces masks, so call it outside transactions. */
  write: () => Promise<Map<number, string[]>>;
}

/** Reads the annotations of a scene. The time to trace masks is charged to `requester`. */
export async function readTexts(
  db: Kysely<Schema>,
  head: SceneHead,
  shape: SceneShape,
  requester: string,
): Promise<SceneTexts> {
  return shape === "rings" ? readRings(db, head) : readPaper(db, head, requester);
}

/** Reads for Limn's own client. Shapes are copied from the database into the response as they are stored. */
async function readRings(db: Kysely<Schema>, { image }: SceneHead): Promise<SceneTexts> {
  const { rows } = await sql<AnnotationTextRow & { version: string }>`
    select id, uuid, category_id, revision, shape::text as shape, area, bbox::text as bbox, iscrowd, isbbox, color,
      metadata::text as metadata, keypoints::text as keypoints, creator_name, ${versionText} as version
    from annotations where ${isInScene(image.id)} order by id ${preparedStatement}`.execute(db);
  return gather(rows, async (row) => annotationText(row, image.id));
}

/** Reads for older clients, with paper.js JSON of each shape whose origin is the centre of the image. */
async function readPaper(db: Kysely<Schema>, { image, categories }: SceneHead, requester: string): Promise<SceneTexts> {
  const definitions = new Map(categories.map(({ id, keypoints }) => [id, keypoints]));
  const { rows } = await sql<AnnotationRow & { version: string }>`
    select *, ${versionText} as version
    from annotations where ${isInScene(image.id)} order by id ${preparedStatement}`.execute(db);
  const textOf = async (row: AnnotationRow) => {
    const definition = definitions.get(row.category_id);
    // The category was created after the head was read. The versions differ then, and the scene is read again.
    if (!definition) return "";
    const document = await withMeasuring(requester, () => annotationDocument(row, image, definition));
    const { rings, color } = document;
    // Leave out empty annotations: the original client would delete them with its next save.
    if (isEmpty(rings) && document.keypoints.every((value) => value === 0)) return "";
    const paper = rings.length === 0 ? [] : toPaperJson(rings, image.width, image.height, { color });
    return jsonInTurns({ ...document, paper_object: paper as PaperObject });
  };
  return gather(rows, textOf);
}

type PaperObject = AnnotatorData["categories"][0]["annotations"][0]["paper_object"];

function gather<Row extends { category_id: number; version: string }>(
  rows: readonly Row[],
  textOf: (row: Row) => Promise<string>,
): SceneTexts {
  const write = async () => {
    const byCategory = new Map<number, string[]>();
    const pause = makePause();
    for (const row of rows) {
      const text = await textOf(row);
      await pause();
      if (text === "") continue;
      const texts = byCategory.get(row.category_id);
      if (texts) texts.push(text);
      else byCategory.set(row.category_id, [text]);
    }
    return byCategory;
  };
  return { versions: rows.map(({ version }) => version).join(" "), write };
}
