import { useEffect, useEffectEvent, useRef, useState } from "react";
import { TASK_RESET_DELAY_MS } from "../../../../shared/constants";
import type { Task } from "../../../../shared/entities/task";
import { isFollowedTask, noteReportedTask, takeStartedTask, useTasks } from "../../../queries/tasks";

interface Watch {
  datasetId: number;
  /** Name of a task group, see TASK_GROUPS. */
  group: string;
  /** Called once for each task of the group that ends, unless a dialog follows the task. */
  onEnd: (task: Task) => void;
}

/**
 * Returns the task that a button represents, whether it was started here, in another tab or before a reload. The task
 * is still returned for one second after its end, with its last progress.
 */
export function useButtonTask({ datasetId, group, onEnd }: Watch): Task | undefined {
  const tasks = useTasks();
  /** Ids of tasks seen running. A task that was never seen running counts if it was started here or is new. */
  const watched = useRef(new Set<number>());
  const newestSeen = useRef<number | undefined>(undefined);
  const [ended, setEnded] = useState<Task>();
  const handleEnd = useEffectEvent(onEnd);

  const all = tasks.state === "loaded" ? tasks.data : undefined;
  const mine = all?.filter((task) => task.dataset_id === datasetId && task.group === group);
  const running = mine?.find((task) => !task.completed);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `mine` is computed from `all` in each render
  useEffect(() => {
    if (!all || !mine) return;
    for (const task of mine) {
      const isNew = newestSeen.current !== undefined && task.id > newestSeen.current;
      if (!task.completed) watched.current.add(task.id);
      else if (isFollowedTask(task.id)) continue;
      else if ([watched.current.delete(task.id), takeStartedTask(task.id), isNew].some(Boolean)) {
        noteReportedTask(task.id);
        setEnded(task);
        handleEnd(task);
      }
    }
    newestSeen.current = Math.max(newestSeen.current ?? 0, ...all.map((task) => task.id));
  }, [all, tasks.updatedAt, datasetId, group]);

  useEffect(() => {
    if (!ended) return;
    const timer = setTimeout(() => setEnded(undefined), TASK_RESET_DELAY_MS);
    return () => clearTimeout(timer);
  }, [ended]);

  return running ?? ended;
}
