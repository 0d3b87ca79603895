import type { TaskKind } from "../../shared/entities/task";
import type { TaskFunction } from "../queue/task";
import { changeImages } from "./changeImages";
import { dryRunImport } from "./dryRunImport";
import { generate } from "./generate";
import { importCoco } from "./importCoco";
import { purge } from "./purge";
import { redoImport } from "./redoImport";
import { scan } from "./scan";
import type { TaskTools } from "./tools";
import { undoImport } from "./undoImport";
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
  purge,
  export: writeExport,
};
