import type { OutputOf } from "../../../shared/api/protocol/call";
import { type DatasetWork, getWork, type ReturnedImage, type WorkCounts } from "../../../shared/api/work";
import { stageOf } from "../../../shared/rules/stages";
import { compareNaturally } from "../../../shared/text/fold";
import type { DatasetRow, ImageRow } from "../copy/records";
import { type Answer, answer } from "./answer";
import type { LocalData } from "./localData";

/** Number of a returned image's comments that are shown, as on the server. */
const MOST_COMMENTS = 3;

/**
 * Returns the answer to the call for a user's work, from the datasets that are available offline. An image that was
 * only opened says nothing about the others of its dataset, so such datasets are left out, and so is what was accepted
 * last, of which copies do not know the time.
 */
export const workAnswer = (data: LocalData, username: string): Answer =>
  answer(getWork, async () => {
    const datasets: DatasetWork[] = [];
    const returned: ReturnedImage[] = [];
    for (const row of await data.datasets()) {
      const { owner, users, permissions } = row.dataset;
      const isOwner = owner === username;
      // Admins see the datasets of others, but do not work in them.
      if (row.choice === null || !permissions.edit || !(isOwner || users.includes(username))) continue;
      const images = await data.images(row.id);
      const mine = images.filter(({ assignee }) => assignee === username);
      if (isOwner && mine.length === 0 && users.length === 0) continue;
      datasets.push(workIn(row, images, mine));
      returned.push(...(await returnedOf(data, row, mine)));
    }
    // An empty page would say that there is no work.
    if (datasets.length === 0) return undefined;
    datasets.sort((a, b) => compareNaturally(a.name, b.name) || a.id - b.id);
    returned.sort((a, b) => timeOf(b) - timeOf(a) || a.id - b.id);
    return { is_team: true, datasets, returned, accepted: [] } satisfies OutputOf<typeof getWork>;
  });

function workIn({ id, dataset }: DatasetRow, images: readonly ImageRow[], mine: readonly ImageRow[]): DatasetWork {
  const counts: WorkCounts = { new: 0, annotating: 0, returned: 0, to_review: 0, accepted: 0 };
  for (const image of mine) {
    const stage = stageOf(image);
    counts[stage === "open" ? (image.annotated ? "annotating" : "new") : stage] += 1;
  }
  const reviews = dataset.review && dataset.permissions.review;
  const waiting = reviews ? images.filter((image) => stageOf(image) === "to_review").length : null;
  return { id, name: dataset.name, mine: counts, waiting };
}

/** Returns the returned images among `mine` that can be opened here. */
async function returnedOf(
  data: LocalData,
  { id: dataset_id, dataset }: DatasetRow,
  mine: readonly ImageRow[],
): Promise<ReturnedImage[]> {
  const found: ReturnedImage[] = [];
  for (const image of mine) {
    const scene = stageOf(image) === "returned" ? await data.scene(image.id) : undefined;
    if (!scene) continue;
    const { returned_by, returned_at } = scene.image;
    const comments = (scene.comments ?? [])
      .filter(({ thread, resolved, deleted }) => thread === null && !resolved && !deleted)
      .slice(0, MOST_COMMENTS)
      .map(({ uuid, creator, text }) => ({ uuid, creator, text }));
    found.push({
      ...{ id: image.id, file_name: image.file_name, dataset_id, dataset: dataset.name },
      ...{ returned_by, returned_at, comments },
    });
  }
  return found;
}

const timeOf = ({ returned_at }: ReturnedImage): number => (returned_at ? Date.parse(returned_at) : 0);
