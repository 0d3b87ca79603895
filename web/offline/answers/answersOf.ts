import { type AnnotatorScene, getAnnotatorData } from "../../../shared/api/annotator";
import type { LocalAnswers } from "../../io/http/localAnswers";
import type { CopyStore } from "../copy/copyStore";
import { categoryAnswers } from "./categories";
import { datasetAnswers } from "./datasets";
import { exportAnswers } from "./exports";
import { LocalData } from "./localData";
import { PendingEdits, type PendingJournal } from "./pendingEdits";
import { outlineAnswers, sceneAnswers } from "./scenes";
import { workAnswer } from "./work";

/** The part of the copies that answers use. */
export interface AnsweringCopies {
  readonly store: CopyStore;
  /** Keeps an image that the server has sent. Resolves when all images noted so far are kept; never rejects. */
  note(scene: AnnotatorScene): Promise<void>;
  /** Notes that an image was opened from the copy. */
  noteUse(imageId: number): Promise<void>;
}

/** Returns the answers from a user's copies and pending edits. `close` stops watching the copies. */
export function answersOf(
  copies: AnsweringCopies,
  journal: PendingJournal,
  username: string,
): LocalAnswers & { close: () => void } {
  const data = new LocalData(copies.store, new PendingEdits(journal), username);
  const noteUse = (imageId: number) => void copies.noteUse(imageId);
  let noting = Promise.resolve();
  const all = [
    ...datasetAnswers(data),
    ...categoryAnswers(data),
    ...sceneAnswers(data, noteUse),
    ...outlineAnswers(data),
    workAnswer(data, username),
    ...exportAnswers(data, username, () => noting),
  ];
  const byCall = new Map(all.map(({ call, find }) => [call, find]));
  return {
    covers: (call) => byCall.has(call),
    find: async (call, parts) => byCall.get(call)?.(parts),
    note: (call, { query }, output) => {
      // With `shape: "rings"` the output is a scene.
      if (call === getAnnotatorData && query?.shape === "rings") noting = copies.note(output as AnnotatorScene);
    },
    close: () => {
      data.close();
      journal.close();
    },
  };
}
