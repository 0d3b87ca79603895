import { SerialQueue } from "../../../shared/async/serialQueue";
import type { CategoryEdit, Edit } from "../../../shared/edits/edit";
import type { Journal, JournalRow, NewCategoryRow } from "../../sync/journal/journal";
import type { ImageRow, SceneRow } from "../copy/records";
import { editedScene } from "./editedScene";
import { isShown } from "./shown";

/** The part of the journal that answers use. */
export type PendingJournal = Pick<Journal, "queued" | "countQueued" | "categories" | "addCategory" | "close">;

/** The pending edits of all images and categories. Reads the whole journal again only if rows were removed. */
export class PendingEdits {
  private byImage = new Map<number, Edit[]>();
  private ofCategories: CategoryEdit[] = [];
  private last: JournalRow | undefined;
  private count = 0;
  /** Runs one reading at a time, because two at once would add the same rows twice. */
  private readonly readings = new SerialQueue();
  /** The next reading, until it begins. Answers that need several kinds of edits share it. */
  private next: Promise<void> | undefined;

  constructor(private readonly journal: PendingJournal) {}

  /** Returns the edits by image, in the order in which they were made. Empty if the browser cannot read the journal. */
  async read(): Promise<ReadonlyMap<number, readonly Edit[]>> {
    await this.update();
    return this.byImage;
  }

  /** Returns the edits of categories, in the order in which they were made. */
  async categories(): Promise<readonly CategoryEdit[]> {
    await this.update();
    return this.ofCategories;
  }

  /** Returns the categories that the server does not have yet. Empty if the browser cannot read the journal. */
  newCategories(): Promise<readonly NewCategoryRow[]> {
    return this.journal.categories().catch(() => []);
  }

  /** Stores a category that the server does not have yet. Rejects if the browser cannot store it. */
  addCategory(row: NewCategoryRow): Promise<void> {
    return this.journal.addCategory(row);
  }

  private update(): Promise<void> {
    this.next ??= this.readings.add(() => {
      this.next = undefined;
      return this.readJournal();
    });
    return this.next;
  }

  private async readJournal(): Promise<void> {
    const [added, total] = await Promise.all([
      this.journal.queued(Number.POSITIVE_INFINITY, this.last?.seq).catch(() => []),
      this.journal.countQueued().catch(() => 0),
    ]);
    if (total === this.count + added.length) return this.add(added);
    const all = await this.journal.queued(Number.POSITIVE_INFINITY).catch(() => []);
    this.byImage = new Map();
    this.ofCategories = [];
    this.count = 0;
    this.last = undefined;
    this.add(all);
  }

  private add(rows: readonly JournalRow[]): void {
    for (const { image_id, edit } of rows) {
      const edits = this.byImage.get(image_id) ?? [];
      this.byImage.set(image_id, edits);
      edits.push(edit);
      if (edit.subject === "category") this.ofCategories.push(edit);
    }
    this.count += rows.length;
    this.last = rows.at(-1) ?? this.last;
  }
}

/** Fields of an image that follow from its annotations and labels, and its stage. */
export type Figures = Pick<ImageRow, "annotated" | "num_annotations" | "category_ids" | "done" | "stage">;

/** Returns the figures of an image after pending edits, as the server will compute them. */
export function figuresAfter(row: ImageRow, scene: SceneRow, edits: readonly Edit[]): Figures {
  const after = editedScene(scene, edits);
  const num_annotations = Math.max(0, row.num_annotations + countShown(after) - countShown(scene));
  const ids = new Set([...after.image.labels, ...after.annotations.map(({ category_id }) => category_id)]);
  const { done, stage } = edits.some(({ after }) => "done" in after || "stage" in after) ? after.image : row;
  const category_ids = [...ids].sort((a, b) => a - b);
  return { num_annotations, annotated: num_annotations > 0, category_ids, done, stage };
}

const countShown = ({ annotations }: SceneRow): number => annotations.filter(isShown).length;
