import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { getWork } from "../../../shared/api/work";
import { request } from "../../io/http/request";
import { socket } from "../../io/live/socket";
import { WORK_KEY } from "../keys";
import { useQueryState } from "../queryState";

/** Pause in milliseconds before the work is loaded again, since events often come in groups. */
const PAUSE_MS = 1_000;

/** The frame of all pages asks for it: a session that has ended must not close the annotator meanwhile. */
const workQuery = queryOptions({
  queryKey: WORK_KEY,
  queryFn: ({ signal }) => request(getWork, {}, { signal }),
  // The page is opened right after images were submitted, of which no event tells without a server.
  staleTime: 0,
  meta: { quiet: true, keepsPage: true },
});

/** The user's work in all datasets. */
export const useMyWork = () => useQueryState(workQuery);

/**
 * Returns true if the user shares a dataset with others or has images; false while that is unknown. Loads the work
 * again when the server reports a change.
 */
export function useIsInTeam(): boolean {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const handleChange = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: WORK_KEY });
      }, PAUSE_MS);
    };
    live.on("work", handleChange);
    live.on("role", handleChange);
    live.on("comments", handleChange);
    return () => {
      clearTimeout(timer);
      live.off("work", handleChange);
      live.off("role", handleChange);
      live.off("comments", handleChange);
    };
  }, [client]);
  const work = useMyWork();
  return work.state === "loaded" && work.data.is_team;
}
