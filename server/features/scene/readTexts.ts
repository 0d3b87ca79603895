import type { Kysely } from "kysely";
import type { AnnotatorData } from "../../../shared/api/annotator";
import type { Shape } from "../../../shared/entities/shape";
import { toPaperJson } from "../../../shared/geometry/paperJson";
import type { Schema } from "../../db/schema";
import { jsonPieces } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";
import { annotationDocument } from "../annotations/rows/annotationDocument";
import { isEmpty } from "../annotations/rows/annotationRow";
import { withMeasuring } from "../measuring/measuring";
import { annotationText } from "./annotationText";
import type { SceneShape } from "./frame";
import type { SceneHead } from "./readHead";
import { type PaperRow, readPaperRows, readRingsRows } from "./sceneRows";

/** The annotations of a scene, ready to be written as JSON. */
export interface SceneTexts {
  /** Versions of the annotations, in the form of `SceneHead.versions`. Both are equal if nothing changed in between. */
  versions: string;
  /**
   * Yields the JSON of a category's annotations, separated by commas. Works once, since it drops each annotation that
   * it has written. May wait for a thread that traces masks, so it is called outside transactions.
   */
  write: (categoryId: number) => AsyncGenerator<string>;
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
async function readRings(db: Kysely<Schema>, head: SceneHead): Promise<SceneTexts> {
  const rows = await readRingsRows(db, head);
  return textsOf(rows, (row) => [annotationText(row, head.image.id)]);
}

/** Reads for older clients, with paper.js JSON of each shape whose origin is the centre of the image. */
async function readPaper(db: Kysely<Schema>, head: SceneHead, requester: string): Promise<SceneTexts> {
  const { image, categories } = head;
  const definitions = new Map(categories.map(({ id, keypoints }) => [id, keypoints]));
  const piecesOf = async ({ shape, ...row }: PaperRow) => {
    const definition = definitions.get(row.category_id);
    // The category was created after the head was read. The versions differ then, and the scene is read again.
    if (!definition) return [];
    const parsed = { ...row, shape: shape === null ? null : (JSON.parse(shape) as Shape) };
    const document = await withMeasuring(requester, () => annotationDocument(parsed, image, definition));
    const { rings, color } = document;
    // Leave out empty annotations: the original client would delete them with its next save.
    if (isEmpty(rings) && document.keypoints.every((value) => value === 0)) return [];
    const paper = rings.length === 0 ? [] : toPaperJson(rings, image.width, image.height, { color });
    return jsonPieces({ ...document, paper_object: paper as PaperObject });
  };
  return textsOf(await readPaperRows(db, head), piecesOf);
}

type PaperObject = AnnotatorData["categories"][0]["annotations"][0]["paper_object"];

/** Minimum number of characters of a yielded piece, except the last. */
const CHARACTERS = 50_000;

function textsOf<Row extends { category_id: number; version: string }>(
  rows: readonly Row[],
  piecesOf: (row: Row) => Iterable<string> | Promise<Iterable<string>>,
): SceneTexts {
  const byCategory = new Map<number, Row[]>();
  for (const row of rows.toReversed()) {
    const list = byCategory.get(row.category_id);
    if (list) list.push(row);
    else byCategory.set(row.category_id, [row]);
  }
  const write = async function* (categoryId: number) {
    const left = byCategory.get(categoryId) ?? [];
    const pause = makePause();
    let isFirst = true;
    let text = "";
    for (let row = left.pop(); row; row = left.pop()) {
      let comma = isFirst ? "" : ",";
      const pieces = piecesOf(row);
      // Awaits only promises: hundreds of needless awaits would take longer than writing the texts.
      for (const piece of pieces instanceof Promise ? await pieces : pieces) {
        text += comma + piece;
        comma = "";
        isFirst = false;
        if (text.length >= CHARACTERS) {
          yield text;
          text = "";
        }
        const turn = pause();
        if (turn) await turn;
      }
    }
    if (text !== "") yield text;
  };
  return { versions: rows.map(({ version }) => version).join(" "), write };
}
