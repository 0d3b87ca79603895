import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { ImageFilter } from "../../../shared/api/dataset";
import type { CurrentUser } from "../../base/permissions";
import { version } from "../../base/version";
import type { Schema } from "../../db/schema";
import { neighbours } from "../images/imageList";
import { takerOf } from "../measuring/measuring";
import { type Frame, frameOf, named, type SceneShape, sceneJson } from "./frame";
import { readHead, type SceneHead } from "./readHead";
import { readTexts } from "./readTexts";

export interface SceneWanted {
  imageId: number;
  /** The list that previous and next follow. */
  walk: ImageFilter;
  shape: SceneShape;
  /** Names of those who have the image open. */
  annotating: string[];
  /** Remembers what is about to be sent, for clients whose saves are compared with it. Returns its name. */
  record?: ((head: SceneHead) => Promise<string>) | undefined;
}

export interface Scene {
  /** Undefined where the client has it already. */
  json: string | undefined;
  /** Revisions of the annotations that the client has from now on, by their ids. */
  revisions: () => Map<number, number>;
}

/**
 * Returns the JSON of an image with all that the annotator shows: its dataset, its neighbours in the list the user came
 * from, and the annotations by category. All but the neighbours is of one moment. `isKept` gets a tag that changes with
 * all that the JSON says, but for `time_ms`; where it returns true, the annotations are not read. Throws 404 for an image
 * that the user does not see.
 */
export async function getScene(
  db: Kysely<Schema>,
  user: CurrentUser,
  wanted: SceneWanted,
  isKept: (tag: string) => boolean,
): Promise<Scene> {
  const start = performance.now();
  const { imageId, walk, record, ...more } = wanted;
  const read = await readAtOneMoment();
  const revisions = () => revisionsIn(read.head.versions);
  if (!read.texts) return { json: undefined, revisions };
  const name = await record?.(read.head);
  const texts = await read.texts();
  return { json: sceneJson(named(read.frame, name), texts, performance.now() - start), revisions };

  async function readAtOneMoment(): Promise<Read> {
    for (let tries = 0; tries < TRIES; tries++) {
      const scene = await readScene(db);
      if (scene) return scene;
    }
    // Somebody writes all the while.
    const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    const scene = await reading.execute(readScene);
    if (!scene) throw new Error("a scene changed within one moment");
    return scene;
  }

  /** Undefined where annotations changed between the two statements that read them. */
  async function readScene(at: Kysely<Schema>): Promise<Read | undefined> {
    const head = await readHead(at, user, imageId);
    const frame = frameOf(user, head, { ...more, neighbours: await neighbours(at, head.image, walk) });
    if (isKept(tagOf(wanted.shape, frame, head.versions))) return { head, frame, texts: undefined };
    const { versions, write } = await readTexts(at, head, wanted.shape, takerOf(user));
    if (versions !== head.versions) return undefined;
    return { head, frame, texts: write };
  }
}

interface Read {
  head: SceneHead;
  frame: Frame;
  /** Undefined where the client has them already. */
  texts: (() => Promise<ReadonlyMap<number, string[]>>) | undefined;
}

const TRIES = 3;

/** Another version of Limn may write the same rows in another way. */
function tagOf(shape: SceneShape, { common, categories }: Frame, versions: string): string {
  const hash = createHash("sha1").update(`${version().number} ${shape} ${versions}`).update(common);
  for (const { json } of categories) hash.update(json);
  return hash.digest("base64url");
}

/** Of `versionText`s with blanks between. */
function revisionsIn(versions: string): Map<number, number> {
  const pairs = versions === "" ? [] : versions.split(" ");
  return new Map(pairs.map((text) => text.split(":").map(Number) as [number, number]));
}
