import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "../../shared/api/protocol/call";
import { deleteForGood, listUndo, rollBack, type UndoEntry, type UndoType } from "../../shared/api/undo";
import { request } from "../io/http/request";
import { SessionEnded } from "../io/http/sessionCalls";
import { CATEGORIES_KEY, DATASETS_KEY, datasetKey, TASKS_KEY, UNDO_KEY } from "./keys";
import { useQueryState } from "./queryState";

/** Number of parallel requests when several things are restored or deleted. */
const AT_ONCE = 6;

/** Lists the trash, never from the cache, so that deletions made elsewhere show up at once. */
export const useDeleted = (type: UndoType, limit: number) =>
  useQueryState({
    queryKey: [...UNDO_KEY, type, limit],
    queryFn: ({ signal }) => request(listUndo, { query: { type, limit } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Outcome of a command on several entries. One failure does not stop the others, unless the session has ended. */
export interface Outcome {
  done: UndoEntry[];
  failed: { entry: UndoEntry; error: unknown }[];
  /** True if the server finishes some of the entries in a background task. */
  continuesAsTask: boolean;
}

export const useRollBack = () => useEach(({ id, instance }) => request(rollBack, { query: { id, instance } }));

/** Deletes entries by `date`, because an entry that was restored and deleted again since may contain new work. */
export const useDeleteForGood = () =>
  useEach(({ id, instance, date }) => request(deleteForGood, { query: { id, instance, date } }));

type Call = (entry: UndoEntry) => Promise<OutputOf<typeof rollBack | typeof deleteForGood>>;

function useEach(call: Call) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (entries: readonly UndoEntry[]) => forEach(call, entries),
    onSettled: () => {
      for (const key of [DATASETS_KEY, CATEGORIES_KEY, TASKS_KEY, datasetKey(0).slice(0, 1)])
        void client.invalidateQueries({ queryKey: key });
      return client.invalidateQueries({ queryKey: UNDO_KEY });
    },
  });
}

async function forEach(call: Call, entries: readonly UndoEntry[]): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [], continuesAsTask: false };
  const waiting = [...entries];
  const worker = async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      try {
        const { task } = await call(entry);
        outcome.done.push(entry);
        if (task) outcome.continuesAsTask = true;
      } catch (error) {
        if (error instanceof SessionEnded) throw error;
        outcome.failed.push({ entry, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcome;
}
