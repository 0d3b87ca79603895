import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { cancelTask, deleteTask, getTaskLogs, listTasks } from "../../shared/api/tasks";
import type { Task } from "../../shared/entities/task";
import type { TaskProgressEvent } from "../../shared/events";
import { request } from "../io/http/request";
import { getConnection } from "../io/live/connection";
import { socket } from "../io/live/socket";
import { TASKS_KEY } from "./keys";
import { useQueryState } from "./queryState";

/** Polling intervals of the task list while a task runs, in milliseconds. Socket events are faster, but may be lost. */
const POLL_MS = { connected: 5000, disconnected: 1500 } as const;

export const tasksQuery = queryOptions({
  queryKey: TASKS_KEY,
  queryFn: ({ signal }) => request(listTasks, {}, { signal }),
  refetchInterval: (query) => (query.state.data?.some(isRunning) ? pollMs() : false),
  meta: { quiet: true },
});

const pollMs = () => (getConnection() === "connected" ? POLL_MS.connected : POLL_MS.disconnected);

export const isRunning = (task: Pick<Task, "completed">): boolean => !task.completed;

/** Ids of tasks that this page started and whose end has not been handled yet. */
const started = new Set<number>();

/** Ids of tasks whose end has been reported. */
const reported = new Set<number>();

/** Records a task that this page started, unless its end was reported before the response to its start arrived. */
export function noteStartedTask(id: number): void {
  if (!reported.has(id)) started.add(id);
}

/** Records that the end of a task has been reported. */
export const noteReportedTask = (id: number): void => void reported.add(id);

/** Returns true once for a task that this page started, which may have ended before the first list shows it. */
export const takeStartedTask = (id: number): boolean => started.delete(id);

/** Ids of tasks whose end a dialog shows, or a message if the dialog was closed. */
const followed = new Set<number>();

/** Records a task whose end the caller reports, so that no other report is shown. */
export const noteFollowedTask = (id: number): void => void followed.add(id);

export const isFollowedTask = (id: number): boolean => followed.has(id);

export const useTasks = () => useQueryState(tasksQuery);

export const useTaskLogs = (id: number, isLive: boolean) =>
  useQueryState({
    queryKey: [...TASKS_KEY, id, "logs", isLive],
    queryFn: ({ signal }) => request(getTaskLogs, { params: { id } }, { signal }),
    refetchInterval: isLive ? 2000 : false,
    select: ({ logs }) => logs,
    // The log of a task that ends stays visible while its last lines load.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    meta: { quiet: true },
  });

/** Cancels a task. With `meta.quiet` no error is shown, e.g. that the task has already ended. */
export function useCancelTask(meta?: { quiet: boolean }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(cancelTask, { params: { id } }),
    meta,
    onSettled: () => client.invalidateQueries({ queryKey: TASKS_KEY }),
  });
}

export function useDeleteTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(deleteTask, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: TASKS_KEY }),
  });
}

/** Updates the task list from the server's `taskProgress` events. Used once, by the shell. */
export function useTaskEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    const handleProgress = (event: TaskProgressEvent) => applyTaskProgress(client, event);
    const handleConnect = () => void client.invalidateQueries({ queryKey: TASKS_KEY });
    live.on("taskProgress", handleProgress);
    live.on("connect", handleConnect);
    return () => {
      live.off("taskProgress", handleProgress);
      live.off("connect", handleConnect);
    };
  }, [client]);
}

/**
 * Writes progress into the task list. Reloads the list if a task is new or has ended, since the event lacks its data.
 * For a new task, a list that is already loading is not requested again: otherwise frequent events would cancel each
 * slow response, and the list would never load while the task runs.
 */
export function applyTaskProgress(client: QueryClient, event: TaskProgressEvent): void {
  const known = client.getQueryData<Task[]>(TASKS_KEY)?.find((task) => task.id === event.id);
  const isOver = event.state !== "queued" && event.state !== "running";
  if (!known || isOver) {
    void client.invalidateQueries({ queryKey: TASKS_KEY }, { cancelRefetch: isOver });
    return;
  }
  const { progress, warnings, errors, state } = event;
  client.setQueryData<Task[]>(TASKS_KEY, (tasks) =>
    tasks?.map((task) =>
      task.id === event.id && !task.completed ? { ...task, progress, warnings, errors, state } : task,
    ),
  );
}
