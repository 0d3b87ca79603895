import type { Change, Edit } from "./edit";

/**
 * The fields of a subject that are merged separately: edits of different fields of one subject never conflict, edits of
 * the same field by different users do.
 */
export const FIELDS = {
  annotation: {
    shape: ["rings", "isbbox"],
    category: ["category_id"],
    metadata: ["metadata"],
    attributes: ["attributes"],
    color: ["color"],
    keypoints: ["keypoints"],
  },
  image: { labels: ["labels"], metadata: ["metadata"], done: ["done", "stage"] },
  category: {
    look: ["color"],
    keypoints: ["keypoint_labels", "keypoint_edges", "keypoint_colors", "keypoint_label_ids"],
    attributes: ["attributes"],
  },
  comment: { text: ["text"], resolved: ["resolved"], place: ["thread", "x", "y", "annotation", "box"] },
} as const;

export type Subject = keyof typeof FIELDS;
export type Field =
  | keyof (typeof FIELDS)["annotation"]
  | keyof (typeof FIELDS)["image"]
  | keyof (typeof FIELDS)["category"]
  | keyof (typeof FIELDS)["comment"];

/** Returns the keys that make up one field of a subject. */
export function keysOf(subject: Subject, field: Field): readonly string[] {
  const fields: Partial<Record<Field, readonly string[]>> = FIELDS[subject];
  return fields[field] ?? [];
}

export function allFields(subject: Subject): Field[] {
  return Object.keys(FIELDS[subject]) as Field[];
}

/** Returns the fields that a set of values belongs to. Keys that belong to no field (area, bbox, …) are ignored. */
export function fieldsIn(subject: Subject, values: object): Field[] {
  return allFields(subject).filter((field) => keysOf(subject, field).some((key) => Object.hasOwn(values, key)));
}

/** Returns the fields that an edit or a stored change touches; creating and deleting touch all of them. */
export function fieldsOf(edit: Edit | Pick<Change, "subject" | "action" | "fields">): Field[] {
  if (edit.action !== "modify") return allFields(edit.subject);
  return fieldsIn(edit.subject, "fields" in edit ? edit.fields : edit.after);
}
