import { type Edit, type EditAnswer, edit as editSchema } from "../../../shared/edits/edit";
import { reasonFor, withField } from "../../../shared/rules/reasonFor";

/** An edit that was sent, or the answer to one that cannot be read. */
export type ParsedEdit = { edit: Edit } | { answer: EditAnswer };

/** Returns a sent edit without unknown keys, or, where it cannot be read, the answer that says why. */
export function parseEdit(value: unknown): ParsedEdit {
  const { data, error } = editSchema.safeParse(value, { error: reasonFor });
  if (data) return { edit: data };
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".").slice(0, 100);
  const reason = issue?.message ?? "Invalid edit";
  return { answer: { uuid: nameOf(value), status: "refused", reason: path ? withField(path, reason) : reason } };
}

/** Returns the sender's name for an edit that cannot be read. */
function nameOf(value: unknown): string {
  const name = typeof value === "object" && value !== null && "uuid" in value ? value.uuid : "";
  return typeof name === "string" ? name.slice(0, 100) : "";
}
