import { type Kysely, sql, type Transaction } from "kysely";
import { saveAnnotatorData } from "../../../shared/api/annotator";
import type { EditAnswer } from "../../../shared/edits/edit";
import { TooManyCoordinates } from "../../../shared/geometry/paperJson";
import { notFound, otherInstallation } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import { readInstallation } from "../../db/installation";
import type { ImageRow, Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { type DatasetAccess, editableImage } from "../access/access";
import { isEmpty, isRle } from "../annotations/rows/annotationRow";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { readInThread } from "../bodies/bodyThread";
import { forgetPlaced, pathsIn } from "../bodies/savedPath";
import { ReadState, readState, type SavedState, savedAnnotations } from "../bodies/savedState";
import { requireAllowedOrigin } from "../datasets/annotateUrl";
import { groupsOf } from "../edits/groups";
import { checkForCall, type Store, storeForCall } from "../edits/storeForCall";
import { storePreferences } from "../edits/storePreferences";
import { storeSessions } from "../edits/storeSessions";
import { measureTogether } from "../measuring/measuring";
import type { Measurable } from "../measuring/question";
import { traceTogether } from "../measuring/tracing";
import { type SentScene, storeKnown } from "../sentScenes/sentScenes";
import type { Services } from "../services";
import { type Changes, changesOf, knownAfter } from "./changesOfSave";
import { type ChosenScene, candidateScenes, chooseScene } from "./sceneOfSave";
import { splitSave } from "./splitSave";
import { isId, loadStored } from "./storedRows";

type Trx = Transaction<Schema>;

/**
 * Stores the full-state save of an older client in one transaction; a large save takes several, so that other requests
 * get their turn. All of it is checked before the first one, so that a refused save is not stored in part. Differences
 * from what the client was sent (or, if nothing was sent, from the stored rows) become edits on the newest revision.
 * Unknown annotations and categories are ignored; those missing in the save stay as they are. Throws 409 if the page was
 * sent by another installation, 400 for an invalid body, 404 if the user cannot see the image.
 */
export async function saveState(services: Services, user: CurrentUser, client: string, body: unknown): Promise<void> {
  const state = body instanceof ReadState ? body.state : await read(body, user);
  const imageId = state.image.id;
  await requireInstallation(services.db, state);
  if (!isId(imageId)) throw notFound("Image does not exist");
  const split = splitSave(state);
  // If several pages are candidates, the right one is recognized by all outlines, so the save must stay in one piece.
  const isWhole = split.length === 1 || (await candidateScenes(services.db, user, client, state)).length > 1;
  const parts = isWhole ? [state] : split;
  if (parts.length > 1) await checkParts(services, user, client, parts);
  const done = new Set<number>();
  for (const part of parts) {
    if (body instanceof ReadState) await convertPaths(services, user, part);
    for (const id of await savePart(services, user, client, part, done)) done.add(id);
    // Frees memory for the later parts.
    for (const saved of savedAnnotations(part)) delete saved.path;
  }
}

/**
 * Throws 409 if a save names another installation than the database's, where its numbers may stand for other images and
 * annotations. Saves without an id are accepted: scripts send none, and neither do pages that were loaded before ids
 * existed.
 */
async function requireInstallation(db: Kysely<Schema>, { dataset }: SavedState): Promise<void> {
  const named = dataset?.installation;
  if (named && named !== (await readInstallation(db)).id) throw otherInstallation();
}

/**
 * Converts paths to image pixels before the image's row is locked, with pauses for other requests. Throws 404 if the
 * user may not see the image, and 403 if the user may not change it.
 */
async function convertPaths({ db }: Services, user: CurrentUser, state: SavedState): Promise<void> {
  const { image } = await editableImage(db, user, state.image.id);
  const pause = makePause();
  for (const { path } of savedAnnotations(state)) {
    if (path && !("problem" in path)) pathsIn(path, image);
    await pause();
  }
}

/**
 * Stores a save in one transaction, without the annotations in `done`. Returns the ids of the annotations it covered.
 */
async function savePart(
  services: Services,
  user: CurrentUser,
  client: string,
  state: SavedState,
  done: ReadonlySet<number>,
): Promise<number[]> {
  return storeForCall(services, user, async (trx, store) => {
    const { image, dataset, chosen, changes, covered } = await readPart(trx, user, client, state, done);
    const answers = await storeInGroups(store, changes, image);
    if (chosen) await storeKnown(trx, { ...chosen.scene, known: knownAfter(chosen.scene, changes, answers) });
    await storeSessions(trx, user, changes.sessions);
    if (state.user) await storePreferences(trx, user, state.user);
    const url = changedAnnotateUrl(user, dataset, state, services.env.ANNOTATE_ORIGINS, chosen?.scene);
    if (url !== undefined)
      await trx.updateTable("datasets").set({ annotate_url: url }).where("id", "=", dataset.id).execute();
    return covered;
  });
}

/** Throws what storing the parts of a save would throw, because those stored first could not be taken back. */
async function checkParts(
  services: Services,
  user: CurrentUser,
  client: string,
  parts: readonly SavedState[],
): Promise<void> {
  const done = new Set<number>();
  for (const part of parts) {
    await convertPaths(services, user, part);
    const checked = await checkForCall(services, user, async (trx, check) => {
      const { image, dataset, chosen, changes, covered } = await readPart(trx, user, client, part, done);
      measureTogether(changes.edits.flatMap((edit) => shapeAfter(edit, image)));
      await check(changes.edits, [image.id]);
      changedAnnotateUrl(user, dataset, part, services.env.ANNOTATE_ORIGINS, chosen?.scene);
      return covered;
    });
    for (const id of checked) done.add(id);
    // Frees memory for the later parts; the paths themselves are still to be stored.
    for (const { path } of savedAnnotations(part)) if (path) forgetPlaced(path);
  }
}

/**
 * Locks the image and returns the changes that a save makes, without the annotations in `done`. `covered`: ids of the
 * other annotations.
 */
async function readPart(
  trx: Trx,
  user: CurrentUser,
  client: string,
  state: SavedState,
  done: ReadonlySet<number>,
): Promise<ReadPart> {
  await requireInstallation(trx, state);
  const { image, dataset } = await lockImage(trx, user, state.image.id);
  const scenes = await candidateScenes(trx, user, client, state);
  const stored = await loadStored(trx, user, image, state, scenes);
  for (const id of done) stored.annotations.delete(id);
  traceTogether([...stored.annotations.values()].flatMap(({ shape }) => (isRle(shape) ? [shape] : [])));
  const chosen = await chooseScene(trx, scenes, image, stored.annotations, savedAnnotations(state));
  const changes = changesOf(state, image, stored, user, chosen);
  return { image, dataset, chosen, changes, covered: [...stored.annotations.keys()] };
}

interface ReadPart {
  image: ImageRow;
  dataset: DatasetAccess;
  chosen: ChosenScene | undefined;
  changes: Changes;
  covered: number[];
}

/** Maximum number of coordinates of paths that are read on the main thread. A short text of curves may yield many. */
const READ_AT_ONCE = 20_000;

async function read(body: unknown, user: CurrentUser): Promise<SavedState> {
  try {
    return readState(body, READ_AT_ONCE);
  } catch (error) {
    if (!(error instanceof TooManyCoordinates)) throw error;
    const large = await readInThread(saveAnnotatorData, Buffer.from(JSON.stringify(body)), user);
    if (!(large instanceof ReadState)) throw new Error("The body thread returned no state.");
    return large.state;
  }
}

async function lockImage(
  trx: Trx,
  user: CurrentUser,
  id: number,
): Promise<{ image: ImageRow; dataset: DatasetAccess }> {
  await editableImage(trx, user, id);
  await sql`select from images where id = ${id} for update`.execute(trx);
  return editableImage(trx, user, id);
}

/** Stores edits in groups, so that no statement takes too long. The edits of one annotation stay together. */
async function storeInGroups(store: Store, { edits, annotations }: Changes, image: ImageRow): Promise<EditAnswer[]> {
  measureTogether(edits.flatMap((edit) => shapeAfter(edit, image)));
  const answers: EditAnswer[] = [];
  const mayBegin = (index: number) => annotations.has(index) || edits[index]?.subject !== "annotation";
  for (const group of groupsOf(edits, mayBegin)) answers.push(...(await store(group, [image.id])));
  return answers;
}

function shapeAfter(edit: ServerEdit, { width, height }: ImageRow): Measurable[] {
  const rings = edit.subject === "annotation" && edit.after.rings;
  return rings && !isEmpty(rings) ? [{ rings, width, height }] : [];
}

/**
 * Returns a changed annotate URL that is to be stored. Only maintainers and the dataset's owner may change it; ignored
 * for other users. Throws 400 for a URL that is not allowed.
 */
function changedAnnotateUrl(
  user: CurrentUser,
  dataset: DatasetAccess,
  state: SavedState,
  allowed: readonly string[],
  scene: SentScene | undefined,
): string | undefined {
  const url = state.dataset?.annotate_url;
  if (url == null || url === dataset.annotate_url || url === scene?.sent.annotate_url) return undefined;
  if (!mayManage(user, dataset)) return undefined;
  requireAllowedOrigin(url, allowed);
  return url;
}
