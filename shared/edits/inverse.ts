import type { Edit } from "./edit";

const INVERSE = { create: "delete", modify: "modify", delete: "create" } as const;

/**
 * Returns the edit that undoes `edit`, based on the newest `revision` of its subject, with a new `uuid`. Do not use it
 * if another user has changed the field since `edit`: it would silently overwrite that change.
 */
export function inverseEdit(edit: Edit, revision: number, uuid: string): Edit {
  const inverted = { uuid, base: revision, before: edit.after, after: edit.before };
  if (edit.subject !== "annotation" && edit.subject !== "comment") return { ...edit, ...inverted } as Edit;
  return { ...edit, ...inverted, action: INVERSE[edit.action] } as Edit;
}
