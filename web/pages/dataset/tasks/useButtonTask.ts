import { useEffect, useEffectEvent, useRef, useState } from "react";
import { TASK_RESET_DELAY_MS } from "../../../../shared/constants";
import type { Task } from "../../../../shared/entities/task";
import { takeStarted, useTasks } from "../../../queries/tasks";

interface Watch {
  datasetId: number;
  /** Names of task groups, see TASK_GROUPS. */
  group: string;
  /** Called once for each task that ended, whether it was started here or was found running. */
  onEnd: (task: Task) => void;
}

/**
 * The task that a button stands for: started here, in another tab, or before a reload. Stays for a second after the
 * end, with its last progress, then is undefined again.
 */
export function useButtonTask({ datasetId, group, onEnd }: Watch): Task | undefined {
  const tasks = useTasks();
  /**
   * Ids seen running. A task that is over before the list shows it counts too, if it was started here or is newer
   * than the first list.
   */
  const watched = useRef(new Set<number>());
  const newestSeen = useRef<number | undefined>(undefined);
  const [ended, setEnded] = useState<Task>();
  const handleEnd = useEffectEvent(onEnd);

  const all = tasks.state === "loaded" ? tasks.data : undefined;
  const mine = all?.filter((task) => task.dataset_id === datasetId && task.group === group);
  const running = mine?.find((task) => !task.completed);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `mine` is made anew from `all` by each render
  useEffect(() => {
    if (!all || !mine) return;
    for (const task of mine) {
      const isNew = newestSeen.current !== undefined && task.id > newestSeen.current;
      if (!task.completed) watched.current.add(task.id);
      else if ([watched.current.delete(task.id), takeStarted(task.id), isNew].some(Boolean)) {
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
