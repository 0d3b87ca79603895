import type { Selectable } from "kysely";
import { TASK_GROUPS, type Task } from "../../../shared/entities/task";
import type { Schema, TaskRow } from "../../db/schema";

/** Returns a task in the form that the API sends. */
export function taskDocument(row: TaskRow & { creator: string | null }): Task {
  const { id, name, kind, state, progress, warnings, errors, creator, dataset_id, created_at, result } = row;
  return {
    id,
    name,
    group: (TASK_GROUPS as Record<string, string>)[kind] ?? kind,
    state,
    progress,
    completed: state !== "queued" && state !== "running",
    warnings,
    errors,
    creator,
    dataset_id,
    created_at: created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    result,
  };
}

type LogRow = Pick<Selectable<Schema["task_logs"]>, "level" | "text" | "created_at">;

/** Formats a log row as `[DD-MM-YYYY HH:MM:SS] [LEVEL] text`, in UTC. */
export function logLine({ level, text, created_at: at }: LogRow): string {
  const day = [two(at.getUTCDate()), two(at.getUTCMonth() + 1), String(at.getUTCFullYear())].join("-");
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(":");
  return `[${day} ${time}] [${level}] ${text}`;
}

const two = (value: number): string => String(value).padStart(2, "0");
