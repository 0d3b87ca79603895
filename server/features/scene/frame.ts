import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { CopiedScene, SceneCategory } from "../../../shared/api/offline";
import { type CurrentUser, datasetPermissions } from "../../base/permissions";
import { categoryDocument, categoryPermissions } from "../categories/categoryDocument";
import { commentOf } from "../comments/commentRow";
import { datasetDocument, tiesOf } from "../datasets/datasetDocument";
import type { Neighbours } from "../images/imageList";
import type { SceneCategoryRow, SceneHead, SceneImage } from "./readHead";

/** Form of the shapes in a scene: `rings` for Limn's own client, `paper` (paper.js JSON) for older clients. */
export type SceneShape = "rings" | "paper";

/** A scene's JSON without its annotations. The objects lack their closing brace. */
export interface Frame {
  /** Image, dataset, preferences and permissions. */
  common: string;
  categories: { id: number; json: string }[];
}

interface FrameOptions {
  shape: SceneShape;
  neighbours: Neighbours;
  /** Names of the users who have the image open. */
  annotating: string[];
  /** Uuids of edits that the scene includes. */
  edits: readonly string[] | undefined;
}

/** Returns everything in a user's scene except the annotations. */
export function frameOf(
  user: CurrentUser,
  head: SceneHead,
  { shape, neighbours, annotating, edits }: FrameOptions,
): Frame {
  const permissions = datasetPermissions(user, tiesOf(head.dataset));
  const common: Omit<AnnotatorScene, "time_ms" | "categories"> = {
    image: { ...sceneImage(head.image), annotating, ...neighbours },
    dataset: datasetDocument(head.dataset),
    preferences: head.preferences,
    ...(shape === "rings" && head.comments && { comments: head.comments.map(commentOf) }),
    ...(shape === "rings" && head.deleted && { deleted: head.deleted }),
    ...(shape === "rings" && edits && { edits: [...edits] }),
    permissions: { dataset: permissions, image: { delete: permissions.manage, download: permissions.download } },
  };
  const categories = head.categories.map((row) => {
    const document =
      shape === "rings" ? sceneCategory(user, row) : { ...categoryDocument(row), show: true, visualize: false };
    return { id: row.id, json: withoutClosingBrace(document) };
  });
  return { common: withoutClosingBrace(common), categories };
}

/** Ids that older clients return with their saves, as fields of the dataset. */
export interface ReturnedIds {
  scene: string;
  installation: string;
}

/** Adds the ids that older clients return. Returns the frame unchanged if there are none. */
export function withReturnedIds(frame: Frame, ids: ReturnedIds | undefined): Frame {
  if (ids === undefined) return frame;
  const { dataset, ...common } = JSON.parse(`${frame.common}}`) as { dataset: object };
  return { ...frame, common: withoutClosingBrace({ ...common, dataset: { ...dataset, ...ids } }) };
}

/**
 * Yields the JSON of a scene from its frame and the JSON of its annotations, separated by commas, which `annotationsOf`
 * yields for a category id.
 */
export async function* sceneText(
  { common, categories }: Frame,
  annotationsOf: (categoryId: number) => AsyncIterable<string>,
  timeMs: number,
): AsyncGenerator<string> {
  let start = `${common},"time_ms":${Math.round(timeMs)},"categories":[`;
  for (const { id, json } of categories) {
    yield `${start}${json},"annotations":[`;
    yield* annotationsOf(id);
    start = "]},";
  }
  yield `${categories.length > 0 ? "]}" : start}]}`;
}

const withoutClosingBrace = (value: object): string => JSON.stringify(value).slice(0, -1);

/** Returns a category as scenes for Limn's own client contain it, without annotations. */
export const sceneCategory = (user: CurrentUser, row: SceneCategoryRow): SceneCategory => ({
  ...categoryDocument(row),
  keypoint_removed: row.keypoints.removed,
  permissions: categoryPermissions(user, row),
});

export const categoryIdsOf = ({ labels, used }: Pick<SceneImage, "labels" | "used">): number[] =>
  [...new Set([...labels, ...used])].sort((a, b) => a - b);

/**
 * Returns the image as scenes contain it. `category_ids` has the ticked categories and the categories with annotations.
 */
export function sceneImage(image: SceneImage): CopiedScene["image"] {
  const { id, file_name, path, width, height, annotated, num_annotations, dataset_id, metadata } = image;
  const category_ids = categoryIdsOf(image);
  const { revision, milliseconds, done, open_threads, stage, returned_by, returned_at } = image;
  return {
    ...{ id, file_name, path, width, height, annotated, num_annotations, dataset_id },
    ...{ category_ids, metadata, revision, milliseconds, done, stage, returned_by, returned_at },
    ...(open_threads > 0 && { open_threads }),
    labels: image.labels.toSorted((a, b) => a - b),
  };
}
