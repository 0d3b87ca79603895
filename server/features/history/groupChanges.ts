import { type HistoryStep, MAX_NAMED } from "../../../shared/api/history";
import type { Subject } from "../../../shared/edits/fields";
import type { Stage } from "../../../shared/entities/image";

export interface RecordedChange {
  /** Revision of the image. */
  revision: number;
  subject: Subject;
  subjectId: string;
  action: "create" | "modify" | "delete";
  client: string | null;
  user: string;
  /** Milliseconds since the epoch. */
  at: number;
  fields: readonly string[];
  /** Stage that the change gave the image. */
  stage: Stage | null;
}

/** Longest pause between two changes of one step, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Groups changes, newest first, into steps. Revisions between `bottom` and `top` (both excluded) that have no change
 * become bulk steps.
 */
export function groupChanges(
  changes: readonly RecordedChange[],
  { top, bottom }: { top: number; bottom: number },
): HistoryStep[] {
  const steps: HistoryStep[] = [];
  let next = top;
  let group: RecordedChange[] = [];
  const endGroup = () => {
    if (group.length > 0) steps.push(stepOf(group));
    group = [];
  };
  for (const change of changes) {
    if (change.revision < next - 1) {
      endGroup();
      steps.push(bulkStep(change.revision + 1, next - 1));
    }
    const last = group.at(-1);
    if (last && !belongsTo(change, last)) endGroup();
    group.push(change);
    next = change.revision;
  }
  endGroup();
  if (bottom < next - 1) steps.push(bulkStep(bottom + 1, next - 1));
  return steps;
}

const belongsTo = (a: RecordedChange, b: RecordedChange): boolean =>
  a.client === b.client && a.user === b.user && Math.abs(a.at - b.at) <= PAUSE_MS;

/** Counts each annotation once: as deleted, created or changed, in this order. */
function stepOf(group: readonly RecordedChange[]): HistoryStep {
  const actions = new Map<string, Set<RecordedChange["action"]>>();
  const fields = new Set<string>();
  for (const { subject, subjectId, action, fields: changed } of group) {
    for (const field of changed) fields.add(subject === "annotation" ? field : `${subject} ${field}`);
    if (subject === "comment" && action !== "modify") fields.add(`comment ${action}`);
    if (subject !== "annotation") continue;
    actions.set(subjectId, (actions.get(subjectId) ?? new Set()).add(action));
  }
  const kinds = [...actions.values()].map((all) =>
    all.has("delete") ? "deleted" : all.has("create") ? "created" : "modified",
  );
  const number = (kind: string) => kinds.filter((each) => each === kind).length;
  const revisions = group.map(({ revision }) => revision);
  return {
    kind: "edits",
    from: Math.min(...revisions),
    to: Math.max(...revisions),
    at: new Date(Math.max(...group.map(({ at }) => at))).toISOString(),
    user: group[0]?.user ?? "",
    created: number("created"),
    modified: number("modified"),
    deleted: number("deleted"),
    fields: [...fields],
    stage: group.find(({ stage }) => stage !== null)?.stage ?? null,
    annotations: [...actions.keys()].slice(0, MAX_NAMED),
  };
}

const bulkStep = (from: number, to: number): HistoryStep => ({
  ...{
    kind: "bulk",
    from,
    to,
    at: null,
    user: "",
    created: 0,
    modified: 0,
    deleted: 0,
    fields: [],
    stage: null,
    annotations: [],
  },
});
