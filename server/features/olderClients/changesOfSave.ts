import type { EditAnswer, WorkSession } from "../../../shared/edits/edit";
import { type CurrentUser, mayChangeCategory } from "../../base/permissions";
import type { AnnotationRow, ImageRow } from "../../db/schema";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { type SavedState, savedAnnotations, sessionsOf } from "../bodies/savedState";
import { keypointsAfter } from "../categories/updateCategory";
import { NeedsMeasuring } from "../measuring/measuring";
import { type Held, type Known, type SentScene, UNKNOWN_REVISION } from "../sentScenes/sentScenes";
import { heldOf, type SentVersion, versionOf } from "../sentScenes/sentVersions";
import { annotationEdits, questionsOfSave, type SavedEdits, type SavedPart } from "./annotationEdits";
import { categoryEdit, imageEdits } from "./editsOfState";
import type { ChosenScene } from "./sceneOfSave";
import type { Stored } from "./storedRows";

/** Edits and work sessions of a save. */
export interface Changes {
  edits: ServerEdit[];
  sessions: WorkSession[];
  /** Annotations with changes, by the index of their first edit. */
  annotations: Map<number, SavedEdits & { id: number; held: Held }>;
  image: Known["image"];
}

/**
 * Returns the differences between a save and the scene that the page was sent. Throws NeedsMeasuring if shapes have not
 * been measured yet.
 */
export function changesOf(
  state: SavedState,
  image: ImageRow,
  stored: Stored,
  user: CurrentUser,
  chosen: ChosenScene | undefined,
): Changes {
  const edits: ServerEdit[] = categoryEdits(state, image, stored, user, chosen?.scene);
  const changes: Changes = { edits, sessions: [], annotations: new Map(), image: {} };
  const parts = comparedParts(state, image, stored, chosen);
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

/** Returns the save's annotations with the stored rows that they are compared with, each row once. */
function comparedParts(
  state: SavedState,
  image: ImageRow,
  stored: Stored,
  chosen: ChosenScene | undefined,
): SavedPart[] {
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
  return parts;
}

/**
 * Returns the version that the page received; without polygons if it never received the annotation, and empty if its
 * scene is unknown.
 */
function sentOf(chosen: ChosenScene | undefined, row: AnnotationRow): SentVersion {
  if (!chosen) return versionOf(row);
  const unknown = chosen.scene.revision === UNKNOWN_REVISION && { color: "", metadata: {}, keypoints: null };
  return chosen.versions.get(row.id) ?? { ...versionOf(row), rings: [], ...unknown };
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
    // Keypoints in this save follow the order of the labels in the save.
    stored.categories.set(row.id, { ...row, keypoints: keypointsAfter(row.keypoints, edit.after) });
  }
  return edits;
}

/** Returns the page's known changes after its save is stored. */
export function knownAfter(
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

/** Maximum number of own revisions recorded per annotation and page. */
const MOST_REVISIONS = 500;
