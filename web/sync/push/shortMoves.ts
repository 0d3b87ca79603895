import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import { sumMove } from "../../../shared/edits/moves/storedMove";

type SendEdits = (edits: readonly unknown[]) => Promise<{ answers: EditAnswer[] }>;

/**
 * Returns a function that sends edits with moves in their shortest form, without the shapes. The server refuses it if
 * another user has changed the shape, and so does a server of an earlier version, for example while several servers are
 * updated one by one: then all edits are sent again in full, and the server recognises those that it has stored.
 */
export function withShortMoves(send: SendEdits): SendEdits {
  return async (edits) => {
    const sent = edits.map((edit) => sumMove(edit as Edit));
    const response = await send(sent);
    const shortened = new Set(edits.filter((edit, i) => edit !== sent[i]).map((edit) => (edit as Edit).uuid));
    const isRefused = response.answers.some(({ uuid, status }) => status === "refused" && shortened.has(uuid));
    return isRefused ? send(edits) : response;
  };
}
