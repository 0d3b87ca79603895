import { z } from "zod";
import { id } from "../../entities/scalars";
import { bbox } from "../../entities/shape";
import { taskStarted } from "../../entities/task";
import { findingKind } from "../../quality/finding";
import { declare } from "../protocol/call";
import { flag, idInPath, limit, page } from "../protocol/inputs";
import { success } from "../protocol/outputs";

/** Calls of the quality check: it finds what spoils training, and changes nothing by itself. */

const params = z.object({ id: idInPath });
const title = "Quality Check";
const access = "user";

/** Largest number of findings listed by id. */
const MAX_NAMED_FINDINGS = 1_000;

/**
 * The findings of a kind with these `ids`, or all of the kind that are not ignored; with `likely`, only those that
 * suggest this category. `total` is their number that the caller has seen, and `digest` the number by which
 * `listFindings` tells them from others. If one of them has changed, or if some of `ids` are no longer there, nothing is
 * done, and the response is 409 with the code `total_changed`.
 */
const which = {
  kind: findingKind,
  ids: z.array(id).min(1).max(MAX_NAMED_FINDINGS).optional(),
  total: z.int().min(0).optional(),
  digest: z.int().min(0).optional(),
  likely: id.optional(),
};
const isOneOfBoth = ({ ids, total, digest }: { [name in keyof typeof which]?: unknown }) =>
  (ids === undefined) !== (total === undefined) && (digest === undefined || total !== undefined);
const ONE_OF_BOTH = "Send ids, or total with or without digest";

export const startQualityCheck = declare({
  method: "POST",
  path: "/dataset/{id}/quality/check",
  title,
  access,
  summary:
    "Check a dataset for what spoils training, in a task; images that have not changed since the last check are not read again",
  params,
  output: taskStarted,
});

export const getQuality = declare({
  method: "GET",
  path: "/dataset/{id}/quality",
  title,
  access,
  summary: "Count the findings of the last quality check by kind, and list the fixes that can be undone",
  params,
  output: z.object({
    /** Null before the first check has ended. */
    checked: z.object({ finished_at: z.string(), images: z.number(), annotations: z.number() }).nullable(),
    /** Kinds with findings, in the order of importance. `found` does not count ignored ones. */
    kinds: z.array(z.object({ kind: findingKind, found: z.number(), ignored: z.number(), can_fix: z.boolean() })),
    /** Fixes of the last 30 days, the newest first. `fixed`: number of images or annotations. */
    fixes: z.array(
      z.object({ undo: z.uuid(), kind: findingKind, fixed: z.number(), made_at: z.string(), is_own: z.boolean() }),
    ),
  }),
});

const imageOfFinding = z.object({
  id,
  file_name: z.string(),
  path: z.string(),
  width: z.number(),
  height: z.number(),
  num_annotations: z.number(),
});
const annotationOfFinding = z.object({ id, uuid: z.uuid(), category: z.string(), color: z.string(), bbox });

const finding = z.object({
  id,
  kind: findingKind,
  score: z.number(),
  details: z.record(z.string(), z.union([z.number(), z.string()])),
  is_ignored: z.boolean(),
  image: imageOfFinding.nullable(),
  annotation: annotationOfFinding.nullable(),
  /** The image that the finding compares with, such as the older of two equal images. */
  other_image: imageOfFinding.nullable(),
  other_annotation: annotationOfFinding.nullable(),
  category: z.object({ id, name: z.string() }).nullable(),
});
export type ShownFinding = z.infer<typeof finding>;

export const listFindings = declare({
  method: "GET",
  path: "/dataset/{id}/quality/findings",
  title,
  access,
  summary:
    "List the findings of a kind, the worst first, all or those that suggest a category; those about annotations that were changed since the check are left out",
  params,
  query: z.object({ kind: findingKind, likely: idInPath.optional(), ignored: flag, page, limit: limit(24) }),
  output: z.object({
    total: z.number(),
    /** Changes when others than these findings are there. */
    digest: z.number(),
    pages: z.number(),
    page: z.number(),
    findings: z.array(finding),
    /** Categories that the findings of the kind suggest, the most frequent first, with the number of findings. */
    suggested: z.array(z.object({ id, name: z.string(), found: z.number() })),
  }),
});

export const ignoreFindings = declare({
  method: "POST",
  path: "/dataset/{id}/quality/ignore",
  title,
  access,
  summary: "Ignore findings, also in later checks, or stop ignoring them",
  params,
  body: z.object({ ...which, ignored: z.boolean().default(true) }).refine(isOneOfBoth, ONE_OF_BOTH),
  output: success,
});

export const fixFindings = declare({
  method: "POST",
  path: "/dataset/{id}/quality/fix",
  title,
  access,
  summary:
    "Fix findings of a kind that has a safe fix, in a task; its result has the counts, and the id with which undoFixes undoes the task",
  params,
  body: z.object(which).refine(isOneOfBoth, ONE_OF_BOTH),
  output: taskStarted,
});

export const undoFixes = declare({
  method: "POST",
  path: "/dataset/{id}/quality/undo",
  title,
  access,
  summary: "Undo a call of fixFindings of the last 30 days, in a task; what was changed since stays",
  params,
  body: z.object({ undo: z.uuid() }),
  output: taskStarted,
});
