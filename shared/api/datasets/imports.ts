import { z } from "zod";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { flag, idInPath } from "../protocol/inputs";

const params = z.object({ id: idInPath });

/**
 * The pixels that a file's coordinates refer to: those stored in the image files, or upright ones, after applying the
 * EXIF orientation. Used for images whose width and height do not show which pixels the file refers to.
 */
export const pixels = z.enum(["stored", "upright"]);

const importing = {
  method: "POST",
  title: "Importing COCO",
  access: "user",
  params,
  query: z.object({ dry_run: flag, pixels: pixels.optional() }),
  upload: { field: "coco" },
  output: taskStarted,
} as const;

export const importCoco = declare({
  ...importing,
  path: "/dataset/{id}/coco",
  summary:
    "Import a COCO file, or a zip of YOLO or Pascal VOC files; `dry_run` stores nothing and reports what the import would do as the result of a task",
});

/** The same call under the path that older scripts use. */
export const importCocoAsExport = declare({
  ...importing,
  path: "/dataset/{id}/export",
  summary: "Import a file of annotations, under another path",
});

export const importPreviewed = declare({
  method: "POST",
  path: "/dataset/{id}/coco/{dryRunId}",
  title: "Importing COCO",
  access: "user",
  summary: "Import the file of a dry run, which is kept for a day; `dryRunId` is the id of the dry run's task",
  params: z.object({ id: idInPath, dryRunId: idInPath }),
  query: z.object({ pixels: pixels.optional() }),
  output: taskStarted,
});

export const undoImport = declare({
  method: "DELETE",
  path: "/dataset/{id}/import/{importId}",
  title: "Importing COCO",
  access: "user",
  summary: "Undo an import as a whole",
  params: z.object({ id: idInPath, importId: idInPath }),
  output: taskStarted,
});

export const listImports = declare({
  method: "GET",
  path: "/dataset/{id}/imports",
  title: "Importing COCO",
  access: "user",
  summary: "List the newest imports with their reports",
  params,
  output: z.array(
    z.object({
      id: z.number(),
      file_name: z.string(),
      state: z.string(),
      user: z.string().nullable(),
      created_at: z.string(),
      report: z.record(z.string(), z.json()),
    }),
  ),
});
