import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { CategoryEdit, Change, EditAnswer } from "../../../../shared/edits/edit";
import { withFields } from "../../keypoints/model/definition";
import { categoryNumbers } from "./categoryNumbers";
import { type DocumentSubject, fieldsExcept } from "./subject";

export type SceneCategory = Omit<AnnotatorScene["categories"][number], "annotations">;

/** The document's categories in the order of the tree. */
export class Categories implements DocumentSubject<"category"> {
  private list: readonly SceneCategory[] = [];
  /** Ids of the dataset's categories. */
  private listed: readonly number[] = [];
  private numbers: readonly number[] = [];

  constructor(scene: AnnotatorScene) {
    this.load(scene);
  }

  /** Ids of the categories in the order of the digit keys. */
  get numbered(): readonly number[] {
    return this.numbers;
  }

  all(): readonly SceneCategory[] {
    return this.list;
  }

  get(id: number | null): SceneCategory | null {
    return this.list.find((category) => category.id === id) ?? null;
  }

  load(scene: AnnotatorScene): void {
    this.list = inTreeOrder(scene);
    this.listed = scene.dataset.categories;
    this.numbers = categoryNumbers(this.list, this.listed);
  }

  /** Adds a new category of the dataset. */
  add(category: SceneCategory): void {
    this.list = [...this.list, category];
    this.listed = [...this.listed, category.id];
    this.numbers = categoryNumbers(this.list, this.listed);
  }

  change(id: number, fields: Partial<SceneCategory>): void {
    this.list = this.list.map((old) => (old.id === id ? withFields(old, fields) : old));
  }

  find({ target }: CategoryEdit): SceneCategory | null {
    return this.get(target);
  }

  revisionOf({ target }: CategoryEdit): number {
    return this.get(target)?.revision ?? -1;
  }

  baseOf({ target }: CategoryEdit): number {
    return this.get(target)?.revision ?? 0;
  }

  apply({ target, after }: CategoryEdit): void {
    this.change(target, after);
  }

  stamp({ target }: CategoryEdit, { revision }: Pick<EditAnswer, "revision">): boolean {
    if (revision == null) return true;
    const known = this.get(target)?.revision ?? revision;
    if (revision === known + 1) this.change(target, { revision });
    return revision <= known + 1;
  }

  limitRevision(edit: CategoryEdit): void {
    this.change(edit.target, { revision: Math.min(this.revisionOf(edit), edit.base) });
  }

  /** Raises the revision under the same conditions as `Annotations.applyChange`. */
  applyChange(change: Change, keep: ReadonlySet<string>, isOwn: boolean): boolean {
    const { subject_id, revision } = change;
    const known = this.get(Number(subject_id));
    if (!known || known.revision >= revision) return true;
    const fields = fieldsExcept(change, keep);
    const isPartial = !isOwn && Object.keys(fields).length < Object.keys(change.fields).length;
    const isNext = revision === known.revision + 1;
    this.change(known.id, { ...fields, ...(isNext && !isPartial && { revision }) });
    return isNext || isPartial;
  }
}

/** Returns all categories, those with annotations first, because users with eighty categories look for these. */
function inTreeOrder({ categories }: AnnotatorScene): SceneCategory[] {
  return categories
    .toSorted((a, b) => Number(b.annotations.length > 0) - Number(a.annotations.length > 0))
    .map(({ annotations: _, ...category }) => category);
}
