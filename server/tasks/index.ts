import type { TaskKind } from "../../shared/entities/task";
import type { TaskFunction } from "../queue/task";
import { scan } from "./scan";
import type { TaskTools } from "./tools";
import { uploadZip } from "./uploadZip";

/** What a worker can do, by the kind of task. */
export const taskKinds: Partial<Record<TaskKind, TaskFunction<TaskTools>>> = {
  scan,
  upload: uploadZip,
};
