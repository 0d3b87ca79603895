import { useState } from "react";

/** Returns the value; while it is null, the last one, so that a dialog keeps its content while it fades out. */
export function useLast<T>(value: T | null): T | null {
  const [last, setLast] = useState(value);
  if (value === null || value === last) return last;
  setLast(value);
  return value;
}
