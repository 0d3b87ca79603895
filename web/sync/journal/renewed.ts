import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { Json } from "../../../shared/entities/scalars";
import { uuid } from "../../io/uuid";
import type { JournalRow } from "./journal";

type Fields = Readonly<Record<string, unknown>>;

/** All drafts of a subject, squashed. */
interface Folded {
  /** Of what changed: before the first change, and after the last one. */
  before: Fields;
  after: Fields;
  /** All that the drafts know of the subject. */
  whole: Fields;
  isMade: boolean;
  isDeleted: boolean;
}

/** The server's last state of a subject. Revision 0: there is none, not even a deleted one. */
interface Said {
  revision: number;
  isLive: boolean;
}

/** Annotations as their maker saw them, by uuid. */
export type Wholes = ReadonlyMap<string, Partial<AnnotationFields>>;

/**
 * All drafts of one subject, oldest first, as one new edit on the live version: the person keeps the own version, as it
 * came out in the end. What is deleted is made again, whole where the server has nothing left of it, and what is there
 * already is changed. It says nothing of a version before that the person has decided to give up. Undefined where nothing
 * is to be sent.
 */
export function renewed(rows: readonly JournalRow[]): { edit: Edit; wholes: Wholes } | undefined {
  const last = rows.at(-1)?.edit;
  if (!last) return undefined;
  const folded = fold(rows);
  const said = saidOf(rows);
  const base = said?.revision ?? Math.max(...rows.map(({ edit }) => edit.base));
  const change = last.subject === "annotation" ? changeOf(folded, said) : modification(folded, said);
  if (!change) return undefined;
  const wholes = new Map(last.subject === "annotation" ? [[last.target, folded.whole]] : []);
  return { edit: { ...last, ...change, base, uuid: uuid() } as Edit, wholes };
}

function fold(rows: readonly JournalRow[]): Folded {
  return rows.reduce<Folded>(add, { before: {}, after: {}, whole: {}, isMade: false, isDeleted: false });
}

function add(folded: Folded, { edit, rest }: JournalRow): Folded {
  const whole = { ...folded.whole, ...rest, ...edit.before, ...edit.after };
  if (edit.action === "delete") return { ...folded, whole, isDeleted: true };
  // Bringing back what was deleted here takes the deletion back, and no more.
  const after = folded.isDeleted ? differing(edit.after, folded.whole) : edit.after;
  return {
    before: { ...edit.before, ...folded.before },
    after: { ...folded.after, ...after },
    whole,
    isMade: folded.isMade || (edit.action === "create" && !folded.isDeleted),
    isDeleted: false,
  };
}

const differing = (after: Fields, before: Fields): Fields =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => !same(value, before[key])));

type ChangeOfAnnotation = Pick<AnnotationEdit, "action" | "before" | "after">;

function changeOf(folded: Folded, said: Said | undefined): ChangeOfAnnotation | undefined {
  const { before, after, whole, isMade, isDeleted } = folded;
  const isThere = said ? said.isLive : !isMade;
  if (isDeleted) return isThere ? { action: "delete", before: whole, after: {} } : undefined;
  if (isThere) return modification(folded, said);
  // A deleted one has its other fields still, as others have left them.
  const isKnown = said !== undefined && said.revision > 0;
  return { action: "create", before, after: isKnown ? { ...before, ...after } : whole };
}

function modification({ before, after }: Folded, said: Said | undefined): ChangeOfAnnotation | undefined {
  if (Object.keys(after).length === 0) return undefined;
  return { action: "modify", before: said ? {} : before, after };
}

function saidOf(rows: readonly JournalRow[]): Said | undefined {
  const said = rows.flatMap(({ stored = null, revision }): Said[] => {
    const known = revisionOf(stored) ?? revision;
    return known === undefined ? [] : [{ revision: known, isLive: stored !== null }];
  });
  return said.at(-1);
}

export function revisionOf(stored: Json): number | undefined {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  return typeof stored.revision === "number" ? stored.revision : undefined;
}
