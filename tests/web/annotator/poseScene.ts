import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import { sceneOf } from "./testEditor";

export const NOSE = 1;
export const EYE = 2;
export const EAR = 5;

/** The usual image. Its first category "cat" has the keypoints nose, eye and ear, with an edge from nose to eye. */
export function poseScene(
  annotations: Annotation[] = [],
  category: Partial<AnnotatorScene["categories"][number]> = {},
): AnnotatorScene {
  const scene = sceneOf(annotations);
  const [cat, ...others] = scene.categories;
  const posed = {
    ...cat!,
    keypoint_labels: ["nose", "eye", "ear"],
    keypoint_label_ids: [NOSE, EYE, EAR],
    keypoint_colors: ["#bf5c4d", "#d99100", "#4d8068"],
    keypoint_edges: [[1, 2]] as [number, number][],
    keypoint_removed: [{ id: 3, name: "tail", color: "#0d2b80" }],
    ...category,
  };
  return { ...scene, categories: [posed, ...others] };
}

export const pointAt = (label: number, x: number, y: number, v = 2): Keypoint => ({ label, x, y, v });
