import { z } from "zod";
import type { TaskHelpers } from "./task";

const result = z.record(z.string(), z.unknown());

/** Returns the counts in the result that earlier attempts of a task have kept, or those of `none` that it lacks. */
export function countsSoFar<Name extends string>(
  { resultSoFar }: Pick<TaskHelpers, "resultSoFar">,
  none: Record<Name, number>,
): Record<Name, number> {
  const kept = result.safeParse(resultSoFar).data ?? {};
  const counts = { ...none };
  for (const name in none) {
    const count = kept[name];
    if (typeof count === "number") counts[name] = count;
  }
  return counts;
}
