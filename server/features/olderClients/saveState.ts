import { sql, type Transaction } from "kysely";
import { saveAnnotatorData } from "../../../shared/api/annotator";
import type { EditAnswer, WorkSession } from "../../../shared/edits/edit";
import { TooManyCoordinates } from "../../../shared/geometry/paperJson";
import { notFound } from "../../base/errors";
import { type CurrentUser, isOwner, mayChangeCategory } from "../../base/permissions";
import type { AnnotationRow, CategoryRow, ImageRow, Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { categoriesSeenBy, type DatasetAccess, visibleImage } from "../access/access";
import { isEmpty, isRle } from "../annotations/rows/annotationRow";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { readInThread } from "../bodies/bodyThread";
import { pathsIn } from "../bodies/savedPath";
import { ReadState, readState, type SavedAnnotation, type SavedState, sessionsOf } from "../bodies/savedState";
import { keypointsAfter } from "../categories/updateCategory";
import { requireAllowedOrigin } from "../datasets/annotateUrl";
import { groupsOf } from "../edits/groups";
import { type Store, storeForCall } from "../edits/storeForCall";
import { storePreferences } from "../edits/storePreferences";
import { storeSessions } from "../edits/storeSessions";
import { measureTogether, NeedsMeasuring } from "../measuring/measuring";
import type { Measurable } from "../measuring/question";
import { traceTogether } from "../measuring/tracing";
import { type Held, type Known, type SentScene, storeKnown } from "../sentScenes/sentScenes";
import { heldOf, type SentVersion, versionOf } from "../sentScenes/sentVersions";
import type { Services } from "../services";
import { annotationEdits, questionsOfSave, type SavedEdits, type SavedPart } from "./annotationEdits";
import { categoryEdit, imageEdits } from "./editsOfState";
import { type ChosenScene, candidateScenes, chooseScene } from "./sceneOfSave";
import { splitSave } from "./splitSave";

type Trx = Transaction<Schema>;

/**
 * Stores the full-state save of an older client, all or nothing; a large one takes several transactions, so that other
 * requests get their turn. Differences from what the client was sent (or, if nothing was sent, from the stored rows)
 * become edits on the newest revision. Unknown annotations and categories are ignored; missing ones stay as they are.
 * Throws 400 for an invalid body, 404 if the user cannot see the image.
 */
export async function saveState(services: Services, user: CurrentUser, client: string, body: unknown): Promise<void> {
  const state = body instanceof ReadState ? body.state : await read(body, user);
  const imageId = state.image.id;
  if (!isId(imageId)) throw notFound("Image does not exist");
  if (body instanceof ReadState) await convertPaths(services, user, state);
  const parts = splitSave(state);
  // If several pages are candidates, the right one is recognized by all outlines, so the save must stay in one piece.
  const isWhole = parts.length === 1 || (await candidateScenes(services.db, user, client, state)).length > 1;
  const done = new Set<number>();
  for (const part of isWhole ? [state] : parts)
    for (const id of await savePart(services, user, client, part, done)) done.add(id);
}

/** Converts paths to image pixels in turns, before the image's row is locked. Throws 404. */
async function convertPaths({ db }: Services, user: CurrentUser, state: SavedState): Promise<void> {
  const { image } = await visibleImage(db, user, state.image.id);
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
    const { image, dataset } = await lockImage(trx, user, state.image.id);
    const scenes = await candidateScenes(trx, user, client, state);
    const stored = await loadStored(trx, user, image, state, scenes);
    for (const id of done) stored.annotations.delete(id);
    traceTogether([...stored.annotations.values()].flatMap(({ shape }) => (isRle(shape) ? [shape] : [])));
    const chosen = await chooseScene(trx, scenes, image, stored.annotations, savedAnnotations(state));
    const changes = changesOf(state, image, stored, user, chosen);
    const answers = await storeInGroups(store, changes, image);
    if (chosen) await storeKnown(trx, { ...chosen.scene, known: knownAfter(chosen.scene, changes, answers) });
    await storeSessions(trx, user, changes.sessions);
    if (state.user) await storePreferences(trx, user, state.user);
    await storeAnnotateUrl(trx, user, dataset, state, services.env.ANNOTATE_ORIGINS, chosen?.scene);
    return [...stored.annotations.keys()];
  });
}

/** Coordinates of paths read on the main thread. Short texts of curves may yield many. */
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

const isId = (id: number): boolean => Number.isInteger(id) && id >= 1 && id <= 2_147_483_647;

const savedAnnotations = ({ categories }: SavedState): SavedAnnotation[] =>
  (categories ?? []).flatMap((category) => category.annotations ?? []);

async function lockImage(
  trx: Trx,
  user: CurrentUser,
  id: number,
): Promise<{ image: ImageRow; dataset: DatasetAccess }> {
  await visibleImage(trx, user, id);
  await sql`select from images where id = ${id} for update`.execute(trx);
  return visibleImage(trx, user, id);
}

interface Stored {
  /** Annotations that the save names, deleted ones included, by id. */
  annotations: Map<number, AnnotationRow>;
  /** Ids of the categories of the image's live annotations. */
  annotated: Set<number>;
  categories: Map<number, CategoryRow>;
  /** Ids of the categories that the user may tick. */
  usable: Set<number>;
}

async function loadStored(
  trx: Trx,
  user: CurrentUser,
  image: ImageRow,
  state: SavedState,
  scenes: readonly SentScene[],
): Promise<Stored> {
  const candidateIds = savedAnnotations(state).flatMap(({ id }) => [
    id,
    ...scenes.map((scene) => heldOf(scene, id).id),
  ]);
  const ids = [...new Set(candidateIds)].filter(isId);
  const annotations = await trx
    .selectFrom("annotations")
    .selectAll()
    .where("image_id", "=", image.id)
    .where("visible", "=", true)
    .where("id", "=", sql<number>`any(${ids}::int[])`)
    .execute();
  const live = await trx
    .selectFrom("annotations")
    .select("category_id")
    .distinct()
    .where("image_id", "=", image.id)
    .where("visible", "=", true)
    .where("deleted_at", "is", null)
    .execute();
  const annotated = new Set(live.map((row) => row.category_id));
  const named = [
    ...(state.categories ?? []).map((category) => category.id),
    ...(state.image.category_ids ?? []),
    ...annotations.map((row) => row.category_id),
    ...annotated,
  ].filter((id) => Number.isInteger(id) && Math.abs(id) <= 2_147_483_647);
  const categories = await trx
    .selectFrom("categories")
    .selectAll()
    .select((eb) => eb("id", "in", categoriesSeenBy(trx, user).select("categories.id")).as("seen"))
    .where("id", "=", sql<number>`any(${[...new Set(named)]}::int[])`)
    .execute();
  return {
    annotations: new Map(annotations.map((row) => [row.id, row])),
    annotated,
    categories: new Map(categories.map(({ seen: _, ...row }) => [row.id, row])),
    usable: new Set(categories.flatMap((row) => (row.seen ? [row.id] : []))),
  };
}

interface Changes {
  edits: ServerEdit[];
  sessions: WorkSession[];
  /** Annotations with changes, by the index of their first edit. */
  annotations: Map<number, SavedEdits & { id: number; held: Held }>;
  image: Known["image"];
}

function changesOf(
  state: SavedState,
  image: ImageRow,
  stored: Stored,
  user: CurrentUser,
  chosen: ChosenScene | undefined,
): Changes {
  const edits: ServerEdit[] = categoryEdits(state, image, stored, user, chosen?.scene);
  const changes: Changes = { edits, sessions: [], annotations: new Map(), image: {} };
  const parts: SavedPart[] = [];
  const done = new Set<number>();
  for (const saved of savedAnnotations(state)) {
    const held = chosen ? heldOf(chosen.scene, saved.id) : { id: saved.id, own: [] };
    const row = stored.annotations.get(held.id);
    const category = row && stored.categories.get(row.category_id);
    if (!row || !category || done.has(row.id) || (row.deleted_at && !chosen)) continue;
    done.add(row.id);
    parts.push({ saved, row, sent: sentOf(chosen, row), held, image, category });
  }
  const questions = questionsOfSave(parts);
  if (questions.length > 0) throw new NeedsMeasuring(questions);
  for (const part of parts) {
    const { saved, row, held, category } = part;
    const mine = annotationEdits(part);
    if (mine && (!mine.isCopy || stored.usable.has(category.id))) {
      changes.annotations.set(edits.length, { ...mine, id: saved.id, held });
      edits.push(...mine.edits);
    }
    if (!row.deleted_at) changes.sessions.push(...sessionsOf(user, row.image_id, row.uuid, saved.sessions));
  }
  const own = imageEdits(state, image, stored, chosen?.scene);
  edits.push(...own.edits);
  const { metadata, category_ids } = state.image;
  changes.image = {
    ...(metadata && { metadata: { got: metadata, stored: own.metadata } }),
    ...(category_ids && { category_ids }),
  };
  return changes;
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

/** Returns the version that the page received; without polygons if it never received the annotation. */
function sentOf(chosen: ChosenScene | undefined, row: AnnotationRow): SentVersion {
  if (!chosen) return versionOf(row);
  return chosen.versions.get(row.id) ?? { ...versionOf(row), rings: [] };
}

function categoryEdits(
  state: SavedState,
  image: ImageRow,
  stored: Stored,
  user: CurrentUser,
  scene: SentScene | undefined,
): ServerEdit[] {
  const edits: ServerEdit[] = [];
  for (const saved of state.categories ?? []) {
    const row = stored.categories.get(saved.id);
    if (!row || row.deleted_at || !stored.usable.has(row.id) || !mayChangeCategory(user, row)) continue;
    const edit = categoryEdit(saved, row, image.id, scene?.sent.looks[row.id]);
    if (!edit) continue;
    edits.push(edit);
    // Keypoints in this save follow the order of its own labels.
    stored.categories.set(row.id, { ...row, keypoints: keypointsAfter(row.keypoints, edit.after) });
  }
  return edits;
}

/** Returns the page's known changes after its save is stored. */
function knownAfter(
  { known }: SentScene,
  { annotations: changed, image }: Changes,
  answers: readonly EditAnswer[],
): Known {
  const annotations = { ...known.annotations };
  for (const [at, { id, held, edits, returned, isCopy }] of changed) {
    const own = answers.slice(at, at + edits.length);
    const [first] = own;
    if (!first) continue;
    const { shape, ...fields } = returned;
    const revisions = own.map((answer) => answer.revision ?? 0);
    const before: Held = isCopy ? { id: first.id ?? held.id, base: first.revision ?? 1, own: [] } : held;
    annotations[id] = {
      ...before,
      ...fields,
      ...(shape && { shape: first.revision ?? 0 }),
      own: [...before.own, ...revisions].slice(-MOST_REVISIONS),
    };
  }
  return { ...known, annotations, image: { ...known.image, ...image } };
}

/** Own revisions recorded per annotation and page. */
const MOST_REVISIONS = 500;

/**
 * Stores a changed annotate URL. Only the dataset's owner may change it; ignored for other users. Throws 400 for a URL
 * that is not allowed.
 */
async function storeAnnotateUrl(
  trx: Trx,
  user: CurrentUser,
  dataset: DatasetAccess,
  state: SavedState,
  allowed: readonly string[],
  scene: SentScene | undefined,
): Promise<void> {
  const url = state.dataset?.annotate_url;
  if (url == null || url === dataset.annotate_url || url === scene?.sent.annotate_url) return;
  if (!isOwner(user, dataset)) return;
  requireAllowedOrigin(url, allowed);
  await trx.updateTable("datasets").set({ annotate_url: url }).where("id", "=", dataset.id).execute();
}
