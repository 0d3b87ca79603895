import { colorFor } from "../../../shared/edits/apply";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { creation } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import { type Attributes, defaultAttributes } from "../../../shared/rules/attributeValues";
import { GROUP_KEY, groupOf, newGroup } from "../../../shared/rules/stacking";
import { uuid } from "../../io/uuid";
import type { AnnotatorDocument, SceneCategory } from "./document";
import type { History } from "./history";
import type { Layers } from "./layers";
import { counted } from "./stepNames";

/** Annotations that were not drawn by the user, but copied or found by a program. */
export interface ImportedAnnotations {
  /** Name of the undo step. */
  action: string;
  annotations: readonly (AnnotationChange & { category_id: number })[];
  /** Categories that the dataset may lack; the server adds them with the first annotation. */
  categories?: readonly SceneCategory[];
}

interface Parts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
}

/**
 * Returns a function that assigns new groups to added annotations, so that copies do not join the originals' groups.
 */
function newGroups(present: Iterable<Annotation>): (added: AnnotationChange) => AnnotationChange {
  let next = newGroup(present);
  const groups = new Map<number, number>();
  return ({ attributes }) => {
    const old = groupOf({ attributes: attributes as Attributes | undefined });
    if (old === null) return {};
    const group = groups.get(old) ?? next++;
    groups.set(old, group);
    return { attributes: { ...attributes, [GROUP_KEY]: group } };
  };
}

/**
 * Adds annotations to the document as one undo step and shows them. The selection does not change. Returns their uuids.
 */
export function addAnnotations(
  { document, history, layers }: Parts,
  { action, annotations, categories = [] }: ImportedAnnotations,
): string[] {
  if (annotations.length === 0) return [];
  for (const category of categories) if (!document.category(category.id)) document.putCategory(category);
  const imageId = document.state.image.id;
  const regroup = newGroups(document.state.annotations.values());
  const edits = annotations.map((annotation) => {
    const target = uuid();
    return creation(uuid(), imageId, target, {
      color: colorFor(target),
      attributes: defaultAttributes(document.category(annotation.category_id)?.attributes),
      ...annotation,
      ...regroup(annotation),
    });
  });
  history.gesture({ name: counted(annotations.length), action }, () => document.apply(edits, "local"));
  for (const id of new Set(annotations.map((annotation) => annotation.category_id))) layers.showCategory(id);
  return edits.map(({ target }) => target);
}
