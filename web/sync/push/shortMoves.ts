import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import { shortenMove } from "../../../shared/edits/moved";

type SendEdits = (edits: readonly unknown[]) => Promise<{ answers: EditAnswer[] }>;

/**
 * Returns a function that sends edits with moves in their short form. A server of an earlier version refuses that form,
 * for example while several servers are updated one by one: then all edits are sent again in full, and the server
 * recognises those that it has stored.
 */
export function withShortMoves(send: SendEdits): SendEdits {
  return async (edits) => {
    const sent = edits.map((edit) => shortenMove(edit as Edit));
    const response = await send(sent);
    const shortened = new Set(edits.filter((edit, i) => edit !== sent[i]).map((edit) => (edit as Edit).uuid));
    const isRefused = response.answers.some(({ uuid, status }) => status === "refused" && shortened.has(uuid));
    return isRefused ? send(edits) : response;
  };
}
