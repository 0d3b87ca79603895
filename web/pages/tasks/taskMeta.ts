import type { Task } from "../../../shared/entities/task";
import { agoText } from "../../components/agoText";
import { durationText } from "../../components/durationText";

/** Returns who started a task, when, and how long it took or has been running. */
export function taskMeta({ creator, created_at, started_at, finished_at }: Task): string {
  const by = creator ? `by ${creator}` : undefined;
  const took =
    started_at && finished_at ? `took ${durationText(Date.parse(finished_at) - Date.parse(started_at))}` : undefined;
  return [by, agoText(created_at), took].filter(Boolean).join(" · ");
}
