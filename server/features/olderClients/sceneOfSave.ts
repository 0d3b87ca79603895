import type { Kysely } from "kysely";
import { z } from "zod";
import type { CurrentUser } from "../../base/permissions";
import type { AnnotationRow, ImageRow, Schema } from "../../db/schema";
import { pathsIn } from "../bodies/savedPath";
import type { SavedAnnotation, SavedState } from "../bodies/savedState";
import { NeedsMeasuring } from "../measuring/measuring";
import { type SentScene, sceneOfId, scenesOf } from "../sentScenes/sentScenes";
import { heldOf, type SentVersion, sentVersions } from "../sentScenes/sentVersions";
import { type Comparison, isReturned, wantedComparisons } from "./comparing";

/** Pages that are looked at where a save does not say which it comes from. */
const MOST_PAGES = 10;

/**
 * The scenes that a save may have been made on, the likeliest first: the one that it names, else those of its client's
 * pages of the image, the newest first.
 */
export async function candidates(
  db: Kysely<Schema>,
  user: CurrentUser,
  client: string,
  { image, dataset }: SavedState,
): Promise<SentScene[]> {
  const { data: id } = z.uuid().safeParse(dataset?.scene);
  const named = id && (await sceneOfId(db, user, image.id, id));
  return named ? [named] : (await scenesOf(db, client, image.id)).slice(0, MOST_PAGES);
}

export interface ChosenScene {
  scene: SentScene;
  versions: Map<number, SentVersion>;
}

/**
 * The candidate whose outlines the save returns most of; where several are equal, the first. Throws NeedsMeasuring where
 * long outlines were not compared before.
 */
export async function chooseScene(
  db: Kysely<Schema>,
  scenes: readonly SentScene[],
  image: ImageRow,
  rows: ReadonlyMap<number, AnnotationRow>,
  saved: readonly SavedAnnotation[],
): Promise<ChosenScene | undefined> {
  const all: (ChosenScene & { comparisons: Comparison[] })[] = [];
  for (const scene of scenes) {
    const versions = await sentVersions(db, scene, image.id, [...rows.values()]);
    const comparisons = scenes.length > 1 ? comparisonsOf(scene, versions, image, saved) : [];
    all.push({ scene, versions, comparisons });
  }
  const wanted = wantedComparisons(all.flatMap(({ comparisons }) => comparisons));
  if (wanted.length > 0) throw new NeedsMeasuring(wanted);
  let best: (ChosenScene & { score: number }) | undefined;
  for (const { comparisons, ...each } of all) {
    const score = comparisons.filter(isReturned).length;
    if (!best || score > best.score) best = { ...each, score };
  }
  return best;
}

function comparisonsOf(
  scene: SentScene,
  versions: ChosenScene["versions"],
  size: ImageRow,
  saved: readonly SavedAnnotation[],
): Comparison[] {
  return saved.flatMap(({ id, path }) => {
    const version = versions.get(heldOf(scene, id).id);
    if (!version || !path || "problem" in path) return [];
    return [{ paths: pathsIn(path, size), sent: version.rings, size }];
  });
}
