import { useMemo } from "react";
import { type Thread, threadsOf } from "../../comments/threads";
import { useDocument } from "../../editor/context";

/** Returns the threads of the open image. */
export function useThreads(): Thread[] {
  const comments = useDocument((state) => state.comments);
  return useMemo(() => threadsOf(comments), [comments]);
}
