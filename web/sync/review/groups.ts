import type { JournalRow, Place } from "../journal/journal";
import { subjectsOf } from "../journal/syncState";

/** Changes to one image of another installation that never reached its server. */
export interface ReviewGroup {
  /** Journal name and image id. */
  key: string;
  journal: string;
  /** Id of the image in that installation. */
  imageId: number;
  /** Undefined for rows of earlier versions, which have no place. */
  place: Place | undefined;
  /** In the order in which they were made. */
  rows: readonly JournalRow[];
  counts: { annotations: number; deleted: number; others: number };
}

/** Returns the number of annotations, images and categories that the groups change. */
export const changesIn = (groups: readonly ReviewGroup[]): number =>
  groups.reduce((sum, { counts }) => sum + counts.annotations + counts.deleted + counts.others, 0);

/** Groups the rows of one journal by image, in the order of each image's first row. */
export function groupsOf(journal: string, rows: readonly JournalRow[]): ReviewGroup[] {
  const byImage = new Map<number, JournalRow[]>();
  for (const row of rows) byImage.set(row.image_id, [...(byImage.get(row.image_id) ?? []), row]);
  return [...byImage].map(([imageId, ofImage]) => ({
    key: `${journal} ${imageId}`,
    journal,
    imageId,
    place: mergedPlace(ofImage),
    rows: ofImage,
    counts: countsOf(ofImage),
  }));
}

/** Returns the place of the last row with the category names of all rows. */
function mergedPlace(rows: readonly JournalRow[]): Place | undefined {
  const places = rows.flatMap(({ place }) => place ?? []);
  const last = places.at(-1);
  return last && { ...last, categories: Object.assign({}, ...places.map(({ categories }) => categories)) };
}

function countsOf(rows: readonly JournalRow[]): ReviewGroup["counts"] {
  const last = subjectsOf(rows).map((subject) => subject.at(-1)?.edit);
  const annotations = last.filter((edit) => edit?.subject === "annotation");
  const deleted = annotations.filter((edit) => edit?.action === "delete").length;
  return { annotations: annotations.length - deleted, deleted, others: last.length - annotations.length };
}
