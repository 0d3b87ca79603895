import { z } from "zod";

export const TASK_STATES = ["queued", "running", "done", "failed", "cancelled"] as const;
export const TASK_GROUPS = {
  scan: "Directory Image Scan",
  generate: "Image Generation",
  upload: "Image Upload",
  import: "Annotation Import",
  previewImport: "Annotation Import Dry Run",
  undoImport: "Annotation Import",
  redoImport: "Annotation Import",
  change: "Image Changes",
  outlineBoxes: "Box Outlines",
  restoreBoxes: "Box Outlines",
  checkQuality: "Quality Check",
  fixFindings: "Quality Fixes",
  undoFixes: "Quality Fixes",
  giveImages: "Consensus",
  embedImages: "Image Comparison",
  purge: "Permanent Deletion",
  export: "Annotation Export",
  version: "Dataset Version",
} as const;
export type TaskKind = keyof typeof TASK_GROUPS;

/** Long work on the server. Progress is a percentage. */
export const task = z.object({
  id: z.number(),
  name: z.string(),
  group: z.string(),
  state: z.enum(TASK_STATES),
  progress: z.number(),
  completed: z.boolean(),
  warnings: z.number(),
  errors: z.number(),
  creator: z.string().nullable(),
  dataset_id: z.number().nullable(),
  created_at: z.string(),
  /** Null until it runs, and until it has ended. */
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  /**
   * Result of the finished task, e.g. an import's report or an export's id. A task that changes images has one before:
   * the number of images changed so far.
   */
  result: z.json().nullable(),
});
export type Task = z.infer<typeof task>;

/** Response of every call that starts a task. */
export const taskStarted = z.object({
  id: z.number(),
  name: z.string(),
  celery_id: z.string(),
  /** True if an earlier request, perhaps another user's, had started this task, which was still queued or running. */
  existing: z.boolean().optional(),
});
export type TaskStarted = z.infer<typeof taskStarted>;
