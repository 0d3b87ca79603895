import type { TaskKind } from "../../shared/entities/task";
import type { TaskFunction } from "../queue/task";
import { changeImages } from "./changeImages";
import { generate } from "./generate";
import { dryRunImport, importCoco, redoImport, undoImport } from "./importTasks";
import { outlineBoxes } from "./outlineBoxes";
import { purge } from "./purge";
import { restoreBoxes } from "./restoreBoxes";
import { scan } from "./scan";
import type { TaskTools } from "./tools";
import { uploadZip } from "./uploadZip";
import { writeExport } from "./writeExport";

/** Task functions by kind. */
export const taskKinds: Record<TaskKind, TaskFunction<TaskTools>> = {
  scan,
  generate,
  upload: uploadZip,
  import: importCoco,
  previewImport: dryRunImport,
  undoImport,
  redoImport,
  change: changeImages,
  outlineBoxes,
  restoreBoxes,
  purge,
  export: writeExport,
};
