import { z } from "zod";
import { findingKind, fixOf } from "../../shared/quality/finding";
import { HttpError } from "../base/errors";
import { countImages } from "../features/images/imageList";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import { currentUserById } from "../features/imports/store/importRow";
import { checkQuality as check } from "../features/quality/check/checkQuality";
import { fixAnnotations } from "../features/quality/fix/fixAnnotations";
import { countFixed, deleteOldFixes, fixedImages } from "../features/quality/fix/fixRecords";
import { restoreCopies, trashCopies } from "../features/quality/fix/trashImages";
import { undoFixesOfImage } from "../features/quality/fix/undoFixes";
import type { Target } from "../features/quality/listFindings";
import { countsSoFar } from "../queue/countsSoFar";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

type Tools = TaskHelpers & TaskTools;

/** Checks a dataset for what spoils training. A repeated task continues where it was interrupted. */
export async function checkQuality(payload: Payload, tools: Tools) {
  const { dataset_id } = z.object({ dataset_id: z.number() }).parse(payload);
  const dataset = await liveDataset(tools.db, dataset_id);
  const { images, annotations, read, looked } = await check(
    tools,
    dataset,
    await countImages(tools.db, dataset.id, { folder: "" }),
  );
  tools.info(
    `Checked ${images} image(s) and ${annotations} annotation(s); read ${read} file(s); looked at ${looked} annotation(s) with DEXTR.`,
  );
  return { what: "checkQuality", images, annotations, read, looked };
}

const changeOf = z.object({ change: z.uuid(), dataset_id: z.number(), person_id: z.number(), kind: findingKind });
const id = z.number().nullable();
const target = z.object({
  key: z.string(),
  image_id: id,
  annotation_id: id,
  revision: id,
  other_image_id: id,
  other_annotation_id: id,
  // Absent in tasks of earlier versions.
  likely: id.default(null),
});

/**
 * Fixes findings, image by image. What was changed since it was found stays. A repeat fixes those that are left, and
 * counts all.
 */
export async function fixFindings(payload: Payload, tools: Tools) {
  const { db, info } = tools;
  const { change: id, targets, ...rest } = changeOf.extend({ targets: z.array(target) }).parse(payload);
  const change = { id, ...rest };
  const dataset = await liveDataset(db, change.dataset_id);
  const user = await currentUserById(db, change.person_id);
  await deleteOldFixes(db);
  const fix = fixOf(change.kind);
  if (fix === "trashImage") await trashCopies(tools, dataset, change, targets);
  else if (fix)
    await eachImage(
      tools,
      [...byImage(targets)],
      ([image]) => image,
      ([image, own]) => fixAnnotations(tools, user, change, fix, image, own),
    );
  const fixed = await countFixed(db, id, dataset.id);
  invalidateCachedFigures(db, dataset.id);
  info(`${fixed} fixed, ${targets.length - fixed} kept because of later changes.`);
  return { what: "fixFindings", kind: change.kind, fixed, kept: targets.length - fixed, undo: fixed > 0 ? id : null };
}

/** Undoes a fix as a whole. What was changed since stays. A repeat continues with what is left, and counts all. */
export async function undoFixes(payload: Payload, tools: Tools) {
  const { db, info, keepResult } = tools;
  const { change: id, ...rest } = changeOf.parse(payload);
  const dataset = await liveDataset(db, rest.dataset_id);
  const user = await currentUserById(db, rest.person_id);
  const images = await fixedImages(db, id, dataset.id);
  const count = countsSoFar(tools, { restored: 0 });
  const result = () => ({ what: "undoFixes", kind: rest.kind, ...count });
  const add = (restored: number) => {
    count.restored += restored;
    keepResult(result());
  };
  await restoreCopies(tools, dataset, { id, ...rest }, add);
  await eachImage(
    tools,
    images,
    (image) => image,
    async (image) => add(await undoFixesOfImage(tools, user, id, image)),
  );
  invalidateCachedFigures(db, dataset.id);
  info(`${count.restored} restored.`);
  return result();
}

function byImage(targets: readonly Target[]): Map<number, Target[]> {
  const images = new Map<number, Target[]>();
  for (const each of targets) {
    if (each.image_id === null) continue;
    const own = images.get(each.image_id);
    if (own) own.push(each);
    else images.set(each.image_id, [each]);
  }
  return images;
}

/** Calls `work` for one image after another. Logs images that fail because of their state, and continues. */
async function eachImage<T>(
  { signal, progress, warn }: Tools,
  items: readonly T[],
  imageOf: (item: T) => number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const [i, item] of items.entries()) {
    signal.throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof HttpError && error.status < 500)) throw error;
      warn(`Image ${imageOf(item)}: ${error.message}`);
    }
    progress(Math.min(99, (100 * (i + 1)) / items.length));
  }
}
