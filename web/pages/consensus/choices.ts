import type { ComparedAnnotation } from "../../../shared/agreement/compared";
import { type MergedShape, meanOf, takeOne, unionOf } from "../../../shared/agreement/mergeObject";
import type { ConsensusAnnotation, getConsensusImage, MergedObject } from "../../../shared/api/datasets/consensus";
import type { OutputOf } from "../../../shared/api/protocol/call";
import type { Size } from "../../../shared/entities/image";

export type ConsensusView = OutputOf<typeof getConsensusImage>;
type ConsensusObject = ConsensusView["objects"][number];

/** Choice for an object: the id of the annotator whose annotation is taken, all of them merged, or nothing. */
export type Choice = number | "union" | "mean" | "none";

/** Returns an object's annotation of each annotator. Leaves out the known truth. */
export function annotationsOf({ annotations }: ConsensusView, object: ConsensusObject): ConsensusAnnotation[] {
  const byId = new Map(annotations.map((each) => [each.id, each]));
  return object.annotations.flatMap((id) => {
    const found = byId.get(id);
    return found && found.annotator !== null ? [found] : [];
  });
}

/** Returns the choices before the user makes any: what several have drawn is merged, the rest left out. */
export const firstChoices = (view: ConsensusView): Choice[] =>
  view.objects.map((object) => (annotationsOf(view, object).length > 1 ? "mean" : "none"));

/** Returns the choices if one is made for all objects. Objects that an annotator has not drawn are left out. */
export const choicesForAll = (view: ConsensusView, choice: Choice): Choice[] =>
  view.objects.map((object) => {
    const drawn = annotationsOf(view, object);
    const isPossible =
      typeof choice === "number" ? drawn.some(({ annotator }) => annotator === choice) : drawn.length > 0;
    return isPossible ? choice : "none";
  });

/** Returns the object to write for a choice; undefined if there is none. */
export function mergedObject(drawn: readonly ConsensusAnnotation[], choice: Choice): MergedObject | undefined {
  if (choice === "none" || drawn.length === 0) return undefined;
  if (choice === "union" || choice === "mean") return { annotations: drawn.map(({ id }) => id), how: choice };
  const own = drawn.find(({ annotator }) => annotator === choice);
  return own && { annotations: [own.id], how: "one" };
}

/** Returns the shape that the server will write for a choice; undefined if there is none, or it cannot be computed. */
export function previewOf(drawn: readonly ConsensusAnnotation[], choice: Choice, size: Size): MergedShape | undefined {
  const object = mergedObject(drawn, choice);
  if (!object) return undefined;
  const compared = drawn.filter(({ id }) => object.annotations.includes(id)).map(comparedOf);
  try {
    if (object.how === "one") return takeOne(compared[0]!);
    return object.how === "union" ? unionOf(compared) : meanOf(compared, size);
  } catch (error) {
    // Outlines that are too large, which the server refuses.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

const comparedOf = ({ category_id, rings, isbbox, bbox, keypoints }: ConsensusAnnotation): ComparedAnnotation => ({
  category_id,
  shape: isbbox || rings.length === 0 ? null : { rings },
  bbox,
  isbbox,
  iscrowd: false,
  keypoints: keypoints.length > 0 ? keypoints : null,
});
