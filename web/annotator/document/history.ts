import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import type { Edit } from "../../../shared/edits/edit";
import { inverseEdit } from "../../../shared/edits/inverse";
import { deletion } from "../../../shared/edits/make";
import { subjectOf } from "../../../shared/edits/subject";
import { uuid } from "../../io/uuid";
import type { AnnotatorDocument } from "./document";
import { squashEdits } from "./squash";
import { stillHolds } from "./stillHolds";

/** Name of a gesture: the subject and what was done to it. */
export interface StepName {
  name: string;
  action: string;
}

/** Undo and redo of a step that has changed images other than the open one. They show their own messages. */
export interface OutsideStep {
  undo(): void;
  redo(): void;
}

interface Step extends StepName {
  edits: Edit[];
  outside?: OutsideStep;
}

export interface HistoryState {
  /** Name of the step that undo would revert, or null. */
  undo: StepName | null;
  redo: StepName | null;
}

/** Outcome of an undo or redo. refused: another user has changed the same fields since, so the step was dropped. */
export type Outcome =
  | { kind: "done"; step: Step; touched: readonly Edit[] }
  | { kind: "refused" }
  | { kind: "nothing" };

const LIMIT = 1000;

/**
 * Undo and redo of the user's edits on one image. A gesture is one step, however many edits it makes; an edit outside a
 * gesture is a separate step. Undo applies the inverse edit to the newest revision. It is refused if a field no longer
 * has the value that the step gave it. Edits of comments are no steps: other users have read the text, and undo after a
 * comment is meant for the last shape.
 */
export class History {
  readonly store = createStore<HistoryState>(() => ({ undo: null, redo: null }));
  private readonly past: Step[] = [];
  private readonly future: Step[] = [];
  /** Number of steps made so far, including those that were undone. */
  made = 0;
  private open: Step | null = null;

  constructor(private readonly document: AnnotatorDocument) {
    document.listen((change) => {
      const edits = change.edits.filter(({ subject }) => subject !== "comment");
      if (change.origin === "local" && edits.length > 0) this.add(edits);
    });
  }

  /** Runs `act` and makes all its edits one step. Edits of a nested gesture belong to the outer one. */
  gesture<T>(name: StepName, act: () => T): T {
    if (this.open) return act();
    this.open = { ...name, edits: [] };
    try {
      return act();
    } finally {
      const step = this.open;
      this.open = null;
      if (step.edits.length > 0) this.push(step);
    }
  }

  /** Adds a step that was made on other images. */
  addOutside(name: StepName, outside: OutsideStep): void {
    this.push({ ...name, edits: [], outside });
  }

  /** Identity of the step that undo would revert, for `amend` and `has`. */
  get newest(): object | null {
    return this.past.at(-1) ?? null;
  }

  /**
   * Runs `act` and adds its edits to an earlier step, so that undo reverts all of them together. A step that changes
   * nothing in the end is removed. Returns false without running `act` if the step was undone or a later step has
   * changed the same annotation.
   */
  amend(step: object, act: () => void): boolean {
    const amended = this.past.find((each) => each === step);
    if (!amended || this.open) return false;
    const at = this.past.indexOf(amended);
    const subjects = new Set(amended.edits.map(subjectOf));
    if (this.past.slice(at + 1).some(({ edits }) => edits.some((edit) => subjects.has(subjectOf(edit))))) return false;
    this.open = { ...amended, edits: [] };
    try {
      act();
    } finally {
      amended.edits = squashEdits([...amended.edits, ...this.open.edits]);
      this.open = null;
      if (amended.edits.length === 0) this.past.splice(this.past.indexOf(amended), 1);
      this.future.length = 0;
      this.announce();
    }
    return true;
  }

  /** Returns true if undo will reach the step. */
  has(step: object): boolean {
    return this.past.some((each) => each === step);
  }

  undo(): Outcome {
    return this.revert(this.past, this.future);
  }

  redo(): Outcome {
    return this.revert(this.future, this.past);
  }

  /**
   * Removes an annotation that was created but never used, or whose use was undone, together with its edits in the undo
   * steps. A change of category or attributes does not count as use. Redoing the step in which it was used creates it
   * again. Returns false, and changes nothing, if the annotation is in use.
   */
  removeUnused(target: string): boolean {
    const isAbout = (edit: Edit) => edit.subject === "annotation" && edit.target === target;
    const steps = this.past.filter(({ edits }) => edits.some(isAbout));
    const edits = steps.flatMap((step) => step.edits.filter(isAbout));
    const [created, ...later] = edits;
    const annotation = this.document.annotation(target);
    const isUnused = created?.action === "create" && later.every(isCategoryChange);
    if (!annotation || !isUnused || !stillHolds(this.document, edits)) return false;
    for (const step of steps) step.edits = step.edits.filter((edit) => !isAbout(edit));
    for (const step of steps) if (step.edits.length === 0) this.past.splice(this.past.indexOf(step), 1);
    const removal = deletion(uuid(), annotation);
    this.future.findLast((step) => step.edits.some(isAbout))?.edits.push(removal);
    this.document.apply([removal], "undo");
    this.announce();
    return true;
  }

  private add(edits: readonly Edit[]): void {
    if (this.open) this.open.edits.push(...edits);
    else this.push({ name: "", action: t`Change`, edits: [...edits] });
  }

  private push(step: Step): void {
    this.made++;
    this.past.push(step);
    if (this.past.length > LIMIT) this.past.shift();
    this.future.length = 0;
    this.announce();
  }

  /** Reverts the newest step of `from` and pushes its inverse onto `to`. */
  private revert(from: Step[], to: Step[]): Outcome {
    const step = from.pop();
    if (!step) return { kind: "nothing" };
    if (!stillHolds(this.document, step.edits)) {
      this.announce();
      return { kind: "refused" };
    }
    if (from === this.past) step.outside?.undo();
    else step.outside?.redo();
    const edits = [...step.edits].reverse().map((edit) => inverseEdit(edit, this.document.baseOf(edit), uuid()));
    if (edits.length > 0) this.document.apply(edits, "undo");
    to.push({ ...step, edits });
    this.announce();
    return { kind: "done", step, touched: edits };
  }

  private announce(): void {
    this.store.setState({ undo: nameOf(this.past.at(-1)), redo: nameOf(this.future.at(-1)) });
  }
}

function nameOf(step: Step | undefined): StepName | null {
  return step ? { name: step.name, action: step.action } : null;
}

/** Returns true for a change of only the category or the attributes, which have no meaning without a shape. */
const isCategoryChange = ({ action, after }: Edit): boolean =>
  action === "modify" && Object.keys(after).every((field) => field === "category_id" || field === "attributes");
