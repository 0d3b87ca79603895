import type { Edit } from "./edit";

const INVERSE = { create: "delete", modify: "modify", delete: "create" } as const;

/**
 * The edit that takes `edit` back, made on the newest `revision` of its subject, with a `uuid` of its own. Where
 * somebody else changed the field since `edit`, do not make one: it would overwrite silently.
 */
export function inverseEdit(edit: Edit, revision: number, uuid: string): Edit {
  const turned = { uuid, base: revision, before: edit.after, after: edit.before };
  if (edit.subject !== "annotation") return { ...edit, ...turned } as Edit;
  return { ...edit, ...turned, action: INVERSE[edit.action] };
}
