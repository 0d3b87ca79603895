import type { Kysely } from "kysely";
import { z } from "zod";
import { otherInstallation } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { readInstallation } from "../../db/installation";
import type { AnnotationRow, ImageRow, Schema } from "../../db/schema";
import { pathsIn } from "../bodies/savedPath";
import type { SavedAnnotation, SavedState } from "../bodies/savedState";
import { NeedsMeasuring } from "../measuring/measuring";
import { reviveScene, type SentScene, sceneOfId, scenesOf } from "../sentScenes/sentScenes";
import { heldOf, type SentVersion, sentVersions } from "../sentScenes/sentVersions";
import { type Comparison, isReturned, wantedComparisons } from "./comparing";

/** Maximum number of scenes considered for a save that does not name one. */
const MOST_PAGES = 10;

/**
 * Returns the scenes that a save may be based on: the scene that it names, else all scenes of the image that were sent
 * to the client, most recently used first. A named scene that was removed is stored again, see `reviveScene`. Throws
 * 409 if that scene may belong to another installation.
 */
export async function candidateScenes(
  db: Kysely<Schema>,
  user: CurrentUser,
  client: string,
  { image, dataset }: SavedState,
): Promise<SentScene[]> {
  const { data: id } = z.uuid().safeParse(dataset?.scene);
  const named = id && ((await sceneOfId(db, user, image.id, id)) ?? (await revived(id)));
  return named ? [named] : (await scenesOf(db, client, image.id)).slice(0, MOST_PAGES);

  async function revived(name: string): Promise<SentScene | undefined> {
    // Pages of the previous version do not name their installation.
    if (!dataset?.installation && (await readInstallation(db)).origin !== "updated") throw otherInstallation();
    await reviveScene(db, user, client, image.id, { id: name, annotateUrl: dataset?.annotate_url ?? "" });
    return sceneOfId(db, user, image.id, name);
  }
}

export interface ChosenScene {
  scene: SentScene;
  versions: Map<number, SentVersion>;
}

/**
 * Returns the candidate scene of which the save returns the most outlines unchanged; the first of several with the same
 * number. Throws NeedsMeasuring if long outlines have not been compared yet.
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
