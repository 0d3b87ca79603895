import { t } from "@lingui/core/macro";
import type { Task } from "../../../shared/entities/task";
import { agoText } from "../../components/agoText";
import { durationText } from "../../components/durationText";

/** Returns a text with the user who started a task, how long ago, and the duration of a task that has ended. */
export function taskMeta({ creator, created_at, started_at, finished_at }: Task): string {
  const by = creator ? t`by ${creator}` : undefined;
  const duration = started_at && finished_at && durationText(Date.parse(finished_at) - Date.parse(started_at));
  const took = duration ? t`took ${duration}` : undefined;
  return [by, agoText(created_at), took].filter(Boolean).join(" · ");
}
