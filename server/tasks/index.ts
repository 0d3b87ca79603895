import type { Json } from "../../shared/entities/scalars";
import type { TaskKind } from "../../shared/entities/task";
import { noteTaskActivity } from "../features/images/noteActivity";
import type { TaskFunction } from "../queue/task";
import { changeImages } from "./changeImages";
import type { TaskTools } from "./common/tools";
import { embedImages } from "./embedImages";
import { generate } from "./generate";
import { giveImages } from "./giveImages";
import { dryRunImport, importCoco, redoImport, undoImport } from "./importTasks";
import { outlineBoxes } from "./outlineBoxes";
import { purge } from "./purge";
import { checkQuality, fixFindings, undoFixes } from "./quality";
import { restoreBoxes } from "./restoreBoxes";
import { scan } from "./scan";
import { uploadZip } from "./uploadZip";
import { writeExport } from "./writeExport";
import { writeVersion } from "./writeVersion";

/** Wraps a task that changes a dataset's images or annotations, so that the dataset's card shows the change. */
const changing =
  (run: TaskFunction<TaskTools>): TaskFunction<TaskTools> =>
  async (payload, tools) => {
    const result = await run(payload, tools);
    await noteTaskActivity(tools.db, tools.taskId);
    return result as Json | undefined;
  };

/** Marks a task that finishes or removes what an earlier attempt has stored, also if it was cancelled meanwhile. */
const tidying = (run: TaskFunction<TaskTools>): TaskFunction<TaskTools> =>
  Object.assign<TaskFunction<TaskTools>, { tidiesUp: true }>((payload, tools) => run(payload, tools), {
    tidiesUp: true,
  });

/** Task functions by kind. */
export const taskKinds: Record<TaskKind, TaskFunction<TaskTools>> = {
  scan,
  generate: changing(generate),
  upload: changing(uploadZip),
  import: tidying(changing(importCoco)),
  previewImport: dryRunImport,
  undoImport: tidying(changing(undoImport)),
  redoImport: tidying(changing(redoImport)),
  change: changing(changeImages),
  outlineBoxes: changing(outlineBoxes),
  restoreBoxes: changing(restoreBoxes),
  checkQuality,
  fixFindings: changing(fixFindings),
  undoFixes: changing(undoFixes),
  giveImages,
  embedImages,
  purge,
  export: writeExport,
  version: writeVersion,
};
