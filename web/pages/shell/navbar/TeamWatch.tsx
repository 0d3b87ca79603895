import { useEffect } from "react";
import { useIsInTeam } from "../../../queries/assignment/myWork";

/** Calls `onChange` with true while the user works with others. Shows nothing. */
export function TeamWatch({ onChange }: { onChange: (isInTeam: boolean) => void }) {
  const isInTeam = useIsInTeam();
  useEffect(() => onChange(isInTeam), [isInTeam, onChange]);
  return null;
}
