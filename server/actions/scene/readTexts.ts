import { type Kysely, sql } from "kysely";
import type { AnnotatorData } from "../../../shared/api/annotator";
import { toPaperJson } from "../../../shared/geometry/paperJson";
import { plannedOnce } from "../../db/plannedOnce";
import type { AnnotationRow, Schema } from "../../db/schema";
import { annotationDocument } from "../annotations/annotationDocument";
import { annotationText } from "./annotationText";
import type { SceneShape } from "./frame";
import { isInScene, type SceneHead, versionText } from "./readHead";

/** The annotations of a scene as JSON, by category. */
export interface SceneTexts {
  /** As the head has them of the same moment. */
  versions: string;
  byCategory: Map<number, string[]>;
}

/** Reads the annotations of a scene. */
export async function readTexts(db: Kysely<Schema>, head: SceneHead, shape: SceneShape): Promise<SceneTexts> {
  return shape === "rings" ? readRings(db, head) : readPaper(db, head);
}

/**
 * For our own client: shapes go from the database into the answer as they are stored. All rows come as one text, since
 * thousands of single values take longer on their way than to be made. No JSON holds the control characters between them.
 */
async function readRings(db: Kysely<Schema>, { image }: SceneHead): Promise<SceneTexts> {
  const { rows } = await sql<{ text: string | null }>`
    select string_agg(concat_ws(chr(1), ${versionText}, uuid, category_id, coalesce(shape::text, ''), area, bbox, iscrowd,
      isbbox, color, metadata, coalesce(keypoints::text, ''), to_json(creator_name)), chr(2) order by id) as text
    from annotations where ${isInScene(image.id)} ${plannedOnce}`.execute(db);
  const texts = rows[0]?.text ? rows[0].text.split("\u0002") : [];
  return gather(texts.map(textsOf), (row) => annotationText(row, image.id));
}

function textsOf(text: string) {
  const [version = "", uuid = "", category_id = "", shape = "", area = "", bbox = "", ...more] = text.split("\u0001");
  const [iscrowd, isbbox, color = "", metadata = "", keypoints = "", creator = ""] = more;
  const [id = "", revision = ""] = version.split(":");
  return {
    ...{
      version,
      id,
      revision,
      uuid,
      category_id,
      shape,
      area,
      bbox,
      iscrowd: iscrowd === "t",
      isbbox: isbbox === "t",
    },
    ...{ color, metadata, keypoints, creator },
  };
}

/** For older clients: with paper.js's JSON of each shape, its origin in the middle of the image. */
async function readPaper(db: Kysely<Schema>, { image, categories }: SceneHead): Promise<SceneTexts> {
  const definitions = new Map(categories.map(({ id, keypoints }) => [id, keypoints]));
  const { rows } = await sql<AnnotationRow & { version: string }>`
    select *, ${versionText} as version
    from annotations where ${isInScene(image.id)} order by id ${plannedOnce}`.execute(db);
  return gather(rows, (row) => {
    const definition = definitions.get(row.category_id);
    // Its category came after the head was read, which the versions tell.
    if (!definition) return "";
    const document = annotationDocument(row, image, definition);
    const { rings, color } = document;
    const paper = rings.length === 0 ? [] : toPaperJson(rings, image.width, image.height, { color });
    return JSON.stringify({ ...document, paper_object: paper as PaperObject });
  });
}

type PaperObject = AnnotatorData["categories"][0]["annotations"][0]["paper_object"];

function gather<Row extends { category_id: number | string; version: string }>(
  rows: readonly Row[],
  textOf: (row: Row) => string,
): SceneTexts {
  const byCategory = new Map<number, string[]>();
  for (const row of rows) {
    const category = Number(row.category_id);
    const texts = byCategory.get(category);
    if (texts) texts.push(textOf(row));
    else byCategory.set(category, [textOf(row)]);
  }
  return { versions: rows.map(({ version }) => version).join(" "), byCategory };
}
