import type { ManifestCategory } from "../../../shared/api/offline";
import type { Dataset } from "../../../shared/entities/dataset";
import type { Statistics, UserStatistics } from "../../../shared/entities/statistics";
import { addImage } from "../../../shared/statistics/addImage";
import { statisticsOfSums } from "../../../shared/statistics/statisticsOfSums";
import { noSums, type Sums } from "../../../shared/statistics/sums";
import { isShown, type LocalScene, liveCategories, makePause } from "./shown";

/** Creator of annotations that no user made. */
const SYSTEM = "system";

/**
 * Returns the statistics of scenes as `getStatistics` would, with two exceptions: copies contain no times, so these are
 * 0, and no accounts, so every creator except `system` counts as an account. `username` is the creator of annotations
 * that the server has not stored yet.
 */
export async function localStatistics(
  dataset: Pick<Dataset, "owner" | "users" | "categories">,
  categories: readonly ManifestCategory[],
  scenes: AsyncIterable<LocalScene>,
  username: string,
): Promise<Statistics> {
  const live = liveCategories(categories);
  const sums = noSums();
  const pause = makePause();
  for await (const { image, annotations } of scenes) {
    const shown = annotations.filter(isShown);
    const counted = shown.filter(({ category_id }) => live.has(category_id));
    const withCreator = counted.map((annotation) => ({ ...annotation, creator: annotation.creator ?? username }));
    addImage(sums, { ...image, annotated: shown.length > 0 }, withCreator);
    await pause();
  }
  const listed = new Set(dataset.categories);
  const named = [...live.values()].filter(({ id }) => listed.has(id) || sums.categories.has(id));
  const members = [...new Set([dataset.owner ?? [], dataset.users].flat())];
  return statisticsOfSums(sums, {
    categories: named.sort((a, b) => a.id - b.id),
    users: usersOf(sums, members),
    members: members.length,
  });
}

/** Returns the statistics of members and creators, sorted by name, users with an account first. */
function usersOf({ makers }: Sums, members: readonly string[]): UserStatistics[] {
  const names = new Set([...members, ...[...makers.keys()].map(String)]);
  const rows = [...names].map((username) => {
    const { annotations = 0, images = 0 } = makers.get(username) ?? {};
    return { username, account: username !== SYSTEM && username !== "", annotations, images, milliseconds: 0 };
  });
  const key = ({ username }: UserStatistics) => username.toLowerCase();
  return rows.sort((a, b) => Number(b.account) - Number(a.account) || (key(a) < key(b) ? -1 : 1));
}
