import type { FindingKind } from "../../../../shared/quality/finding";
import { transaction } from "../../../db/transaction";
import { deleteFindingsOfDataset, insertFindings } from "../findingRows";
import { recordCheck } from "../lastCheck";
import { checkCategories } from "./checkCategories";
import { checkFiles } from "./checkFiles";
import { type CheckedDataset, type CheckTools, checkImages } from "./checkImages";

/** Kinds that depend on other images or on all annotations of a category. */
const KINDS_OF_DATASET = [
  "leak",
  "sameImage",
  "similarImage",
  "unreadable",
  "blank",
  "turned",
  "unlabelled",
  "missingPoint",
  "unusualSize",
  "unusualShape",
  "rareCategory",
] as const satisfies FindingKind[];

/** Share of the progress that reading the images takes. */
const READING = 90;

/**
 * Checks a dataset. Reads only the images and annotations that have changed since the last check, or since a check that
 * was interrupted; compares all of them with each other.
 */
export async function checkQuality(
  tools: CheckTools & { progress: (percent: number) => void },
  dataset: CheckedDataset,
  total: number,
): Promise<{ images: number; annotations: number; read: number; findings: number }> {
  const { db, signal, progress } = tools;
  let images = 0;
  const { read } = await checkImages(tools, dataset, (count) => {
    images += count;
    progress(Math.min(READING, (READING * images) / Math.max(1, total)));
  });
  const { findings, annotations } = await checkCategories(db, dataset.id, signal);
  progress(95);
  findings.push(...(await checkFiles(db, dataset.id, signal)));
  signal.throwIfAborted();
  await transaction(db, async (trx) => {
    await deleteFindingsOfDataset(trx, KINDS_OF_DATASET, dataset.id);
    await insertFindings(trx, dataset.id, findings);
  });
  await recordCheck(db, dataset.id, { images, annotations });
  return { images, annotations, read, findings: findings.length };
}
