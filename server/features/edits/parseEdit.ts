import { type EditAnswer, edit as editSchema } from "../../../shared/edits/edit";
import { restoreMove } from "../../../shared/edits/moves/moved";
import { takeMove } from "../../../shared/edits/moves/storedMove";
import { reasonFor, withField } from "../../../shared/rules/reasonFor";
import type { ServerEdit } from "../annotations/rows/serverEdit";

/** A parsed edit, or the answer to an edit that cannot be parsed. */
export type ParsedEdit = { edit: ServerEdit } | { answer: EditAnswer };

/** Parses an edit and drops unknown keys. Returns a refusal with the reason if it is invalid. */
export function parseEdit(value: unknown): ParsedEdit {
  const taken = takeMove(value);
  const { data, error } = editSchema.safeParse(taken ? taken.edit : restoreMove(value), { error: reasonFor });
  if (data) return { edit: taken ? { ...data, move: taken.move } : data };
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".").slice(0, 100);
  const reason = issue?.message ?? "Invalid edit";
  return { answer: { uuid: uuidOf(value), status: "refused", reason: path ? withField(path, reason) : reason } };
}

/** Returns the uuid that the sender gave to an invalid edit. */
function uuidOf(value: unknown): string {
  const uuid = typeof value === "object" && value !== null && "uuid" in value ? value.uuid : "";
  return typeof uuid === "string" ? uuid.slice(0, 100) : "";
}
