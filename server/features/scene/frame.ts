import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Image } from "../../../shared/entities/image";
import { type CurrentUser, datasetPermissions } from "../../base/permissions";
import { categoryDocument, categoryPermissions } from "../categories/categoryDocument";
import { datasetDocument, tiesOf } from "../datasets/datasetDocument";
import type { Neighbours } from "../images/imageList";
import type { SceneCategory, SceneHead, SceneImage } from "./readHead";

/** The client that a scene is for: `rings` our own; `paper` older ones, with paper.js's JSON of each shape. */
export type SceneShape = "rings" | "paper";

/** A scene's JSON without its annotations: the objects lack their closing brace. */
export interface Frame {
  /** Image, dataset, preferences and permissions. */
  common: string;
  categories: { id: number; json: string }[];
}

interface FrameOptions {
  shape: SceneShape;
  neighbours: Neighbours;
  /** Names of those who have the image open. */
  annotating: string[];
}

/** Returns what a scene says beside its annotations, for a user. */
export function frameOf(user: CurrentUser, head: SceneHead, { shape, neighbours, annotating }: FrameOptions): Frame {
  const permissions = datasetPermissions(user, tiesOf(head.dataset));
  const common: Omit<AnnotatorScene, "time_ms" | "categories"> = {
    image: { ...imageDocument(head.image, annotating), labels: ticked(head.image), ...neighbours },
    dataset: datasetDocument(head.dataset),
    preferences: head.preferences,
    permissions: { dataset: permissions, image: { delete: permissions.delete, download: permissions.download } },
  };
  const categories = head.categories.map((row) => {
    const more = shape === "rings" ? ringsCategory(user, row) : { show: true, visualize: false };
    return { id: row.id, json: opened({ ...categoryDocument(row), ...more }) };
  });
  return { common: opened(common), categories };
}

/** Adds a scene's name, by which older clients say what their saves were made on. Without one the frame stays as it is. */
export function named(frame: Frame, name: string | undefined): Frame {
  if (name === undefined) return frame;
  const { dataset, ...common } = JSON.parse(`${frame.common}}`) as { dataset: object };
  return { ...frame, common: opened({ ...common, dataset: { ...dataset, scene: name } }) };
}

/** Returns the JSON of a scene, of its frame and its annotations' texts by category. */
export function sceneJson({ common, categories }: Frame, texts: ReadonlyMap<number, string[]>, timeMs: number): string {
  const groups = categories.map(({ id, json }) => `${json},"annotations":[${texts.get(id)?.join(",") ?? ""}]}`);
  return `${common},"time_ms":${Math.round(timeMs)},"categories":[${groups.join(",")}]}`;
}

const opened = (value: object): string => JSON.stringify(value).slice(0, -1);

const ringsCategory = (user: CurrentUser, row: SceneCategory) => ({
  keypoint_removed: row.keypoints.removed,
  permissions: categoryPermissions(user, row),
});

export const categoryIdsOf = ({ labels, used }: Pick<SceneImage, "labels" | "used">): number[] =>
  [...new Set([...labels, ...used])].sort((a, b) => a - b);

const ticked = ({ labels }: SceneImage): number[] => labels.toSorted((a, b) => a - b);

/** `category_ids` is the union of the ticked labels and the categories that have annotations. */
function imageDocument(image: SceneImage, annotating: string[]): Image {
  const { id, file_name, path, width, height, annotated, num_annotations, dataset_id, metadata } = image;
  const category_ids = categoryIdsOf(image);
  const { revision, milliseconds, done } = image;
  return {
    ...{ id, file_name, path, width, height, annotating, annotated, num_annotations, dataset_id },
    ...{ category_ids, metadata, revision, milliseconds, done },
  };
}
