import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import type { CurrentUser } from "../../base/permissions";
import { version } from "../../base/version";
import type { Schema } from "../../db/schema";
import { neighbours } from "../images/imageList";
import { requesterOf } from "../measuring/measuring";
import { type Frame, frameOf, type ReturnedIds, type SceneShape, sceneText, withReturnedIds } from "./frame";
import { newestEdits } from "./newestEdits";
import { readHead, type SceneHead } from "./readHead";
import { readTexts, type SceneTexts } from "./readTexts";

export interface SceneRequest {
  imageId: number;
  /** List that the previous and next buttons follow. */
  listContext: ImageFilter;
  shape: SceneShape;
  /** Names of the users who have the image open. */
  annotating: string[];
  /** Number of the newest edits whose uuids the scene has; absent for none. */
  editCount?: number | undefined;
  /**
   * True if the client cannot have the scene yet. The annotations are then read together with the rest of the scene.
   */
  isFirst?: boolean;
  /**
   * Records the scene that is about to be sent, if the client's saves will be compared with it. Returns the ids to be
   * sent.
   */
  record?: ((head: SceneHead) => Promise<ReturnedIds>) | undefined;
}

export interface Scene {
  /** Pieces of the scene's JSON. Undefined if the client already has the scene. */
  json: AsyncIterable<string> | undefined;
  /** Returns the revisions of the scene's annotations, by id. */
  revisions: () => Map<number, number>;
}

/**
 * Returns the JSON of everything that the annotator shows of an image: its dataset, its neighbours in the user's list,
 * and its annotations by category. Everything except the neighbours is consistent. The JSON is produced while it is
 * consumed, so reading its pieces may throw. `isAtClient` receives a tag that changes with the JSON (except `time_ms`);
 * if it returns true, the annotations are not written. Throws 404 if the user cannot see the image.
 */
export async function getScene(
  db: Kysely<Schema>,
  user: CurrentUser,
  request: SceneRequest,
  isAtClient: (tag: string) => boolean,
): Promise<Scene> {
  const start = performance.now();
  const { imageId, listContext, record, isFirst = false, editCount, ...more } = request;
  const read = await readConsistently();
  const revisions = () => revisionsIn(read.head.versions);
  if (!read.texts) return { json: undefined, revisions };
  const ids = await record?.(read.head);
  return { json: sceneText(withReturnedIds(read.frame, ids), read.texts, performance.now() - start), revisions };

  async function readConsistently(): Promise<Read> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const scene = await readScene(db);
      if (scene) return scene;
    }
    // Other users keep writing to the image, so read it in a transaction.
    const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    const scene = await reading.execute(readScene);
    if (!scene) throw new Error("a scene changed within one transaction");
    return scene;
  }

  /** Returns undefined if annotations changed between the two statements that read them. */
  async function readScene(at: Kysely<Schema>): Promise<Read | undefined> {
    const head = await readHead(at, user, imageId, isFirst && request.shape === "rings");
    const edits = editCount ? await newestEdits(at, head.image, editCount) : undefined;
    const frame = frameOf(user, head, { ...more, edits, neighbours: await neighbours(at, head.image, listContext) });
    if (isAtClient(tagOf(request.shape, frame, head.versions))) return { head, frame, texts: undefined };
    const { versions, write } = await readTexts(at, head, request.shape, requesterOf(user));
    if (versions !== head.versions) return undefined;
    return { head, frame, texts: write };
  }
}

interface Read {
  head: SceneHead;
  frame: Frame;
  /** Undefined if the client already has the annotations. */
  texts: SceneTexts["write"] | undefined;
}

const MAX_ATTEMPTS = 3;

/**
 * Returns a hash of the scene. It includes Limn's version, since another version may write the same rows differently.
 */
function tagOf(shape: SceneShape, { common, categories }: Frame, versions: string): string {
  const hash = createHash("sha1").update(`${version().number} ${shape} ${versions}`).update(common);
  for (const { json } of categories) hash.update(json);
  return hash.digest("base64url");
}

/** Parses `versionText`s separated by spaces. Returns the revisions by annotation id. */
function revisionsIn(versions: string): Map<number, number> {
  const pairs = versions === "" ? [] : versions.split(" ");
  return new Map(pairs.map((text) => text.split(":").map(Number) as [number, number]));
}
