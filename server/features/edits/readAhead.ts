import { type Kysely, sql } from "kysely";
import { moveStored, type StoredMove } from "../../../shared/edits/moves/storedMove";
import type { Rings, Shape } from "../../../shared/entities/shape";
import type { Schema } from "../../db/schema";
import { keepRingsText } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";
import { sentRings } from "../annotations/rows/annotationRow";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { measureAhead } from "../measuring/measuring";

/** A shape that was read before its image was locked, and its first move in the batch. */
export interface ShapeAhead {
  /** Version of the row that had the shape. Every write of the row changes it. */
  version: string;
  shape: Shape;
  move: StoredMove;
  /** Outline before and after the move. */
  before: Rings;
  after: Rings;
}

/** Number of coordinates above which a shape is left to the transaction, which cares for other work in between. */
const LONG = 5_000;
/**
 * Number of crossings of edges and pixel columns that are measured here, in about 20 ms; the rest is left to a thread.
 */
const CROSSINGS = 2 ** 19;

/** Shapes by uuid of their annotations. */
export type ShapesAhead = ReadonlyMap<string, ShapeAhead>;

/**
 * Reads the shapes that edits move, moves and measures them, and makes their texts, before a transaction locks their
 * images. Batches of one image wait for each other's lock, so what is done before it overlaps with the batch before.
 * The transaction reads a shape again if its row has changed meanwhile. Leaves out long shapes and those that cannot be
 * moved.
 */
export async function readAhead(db: Kysely<Schema>, edits: readonly ServerEdit[]): Promise<ShapesAhead> {
  const moves = new Map<string, StoredMove>();
  for (const { move, ...edit } of edits)
    if (edit.subject === "annotation" && move && move.count <= LONG && !moves.has(edit.target))
      moves.set(edit.target, move);
  const ahead = new Map<string, ShapeAhead>();
  if (moves.size === 0) return ahead;
  const pause = makePause();
  let crossings = CROSSINGS;
  for (const { uuid, version, shape, width, height } of await readShapes(db, [...moves.keys()])) {
    const move = moves.get(uuid);
    const before = sentRings({ shape, bbox: [0, 0, 0, 0], isbbox: false });
    const after = move && moveStored(before, move);
    if (!move || !before || !after) continue;
    crossings -= measureAhead({ rings: after, width, height }, crossings);
    keepRingsText(after);
    ahead.set(uuid, { version, shape, move, before, after });
    await pause();
  }
  return ahead;
}

interface ReadShape {
  uuid: string;
  version: string;
  shape: Shape;
  /** Size of the image in pixels. */
  width: number;
  height: number;
}

async function readShapes(db: Kysely<Schema>, uuids: readonly string[]): Promise<ReadShape[]> {
  const { rows } = await sql<ReadShape>`
    select a.uuid, a.xmin::text as version, a.shape, i.width, i.height
    from annotations a join images i on i.id = a.image_id
    where a.uuid = any(${uuids}::uuid[]) and a.shape is not null`.execute(db);
  return rows;
}
