import type { Kysely } from "kysely";
import { z } from "zod";
import { pathsOfPaperJson } from "../../../shared/geometry/paperJson";
import type { AnnotationRow, ImageRow, Schema } from "../../db/schema";
import type { Person } from "../../permissions";
import type { SavedAnnotation, SavedState } from "../annotations/savedState";
import { isReturnedShape } from "./returned";
import { type SentScene, sceneOfId, scenesOf } from "./sentScenes";
import { heldOf, type SentVersion, sentVersions } from "./sentVersions";

/** Pages that are looked at where a save does not say which it comes from. */
const MOST_PAGES = 10;

/**
 * The scenes that a save may have been made on, the likeliest first: the one that it names, else those of its client's
 * pages of the image, the newest first.
 */
export async function candidates(
  db: Kysely<Schema>,
  person: Person,
  client: string,
  { image, dataset }: SavedState,
): Promise<SentScene[]> {
  const { data: id } = z.uuid().safeParse(dataset?.scene);
  const named = id && (await sceneOfId(db, person, image.id, id));
  return named ? [named] : (await scenesOf(db, client, image.id)).slice(0, MOST_PAGES);
}

export interface ChosenScene {
  scene: SentScene;
  versions: Map<number, SentVersion>;
}

/** The candidate whose outlines the save returns most of; where several are equal, the first. */
export async function chooseScene(
  db: Kysely<Schema>,
  scenes: readonly SentScene[],
  image: ImageRow,
  rows: ReadonlyMap<number, AnnotationRow>,
  saved: readonly SavedAnnotation[],
): Promise<ChosenScene | undefined> {
  let best: (ChosenScene & { score: number }) | undefined;
  for (const scene of scenes) {
    const versions = await sentVersions(db, scene, image.id, [...rows.values()]);
    const score = scenes.length > 1 ? returnedCount(scene, versions, image, saved) : 0;
    if (!best || score > best.score) best = { scene, versions, score };
  }
  return best;
}

function returnedCount(
  scene: SentScene,
  versions: ChosenScene["versions"],
  image: ImageRow,
  saved: readonly SavedAnnotation[],
): number {
  return saved.filter(({ id, compoundPath }) => {
    const version = versions.get(heldOf(scene, id).id);
    return version && compoundPath != null && isReturned(compoundPath, version, image);
  }).length;
}

function isReturned(path: unknown, { rings }: SentVersion, image: ImageRow): boolean {
  try {
    return isReturnedShape(pathsOfPaperJson(path, image.width, image.height), rings, image);
  } catch {
    return false;
  }
}
