import type { SceneCategory } from "../../../shared/api/offline";
import type { CategoryEdit } from "../../../shared/edits/edit";
import type { CategoryInput } from "../../../shared/entities/category";
import { categoryOfInput } from "../../../shared/rules/categoryOfInput";
import { getReach } from "../../io/http/reachability";
import { changedCategory } from "../copy/changedCategory";
import type { CopyStore } from "../copy/copyStore";
import { takeReservedId, withCategory } from "../copy/newCategories";
import type { DatasetRow, ImageRow, SceneRow } from "../copy/records";
import { editedScene } from "./editedScene";
import { type Figures, figuresAfter, type PendingEdits } from "./pendingEdits";

/** Pause before rows are read again after a change while the server is away, in milliseconds. */
const REREAD_MS = 1_000;

/** Number of scenes that are read from the store at a time. */
const SCENES_AT_ONCE = 50;

interface Known {
  row: ImageRow;
  edits: number;
  figures: Figures;
}

/** Reads a user's copies for answers, with pending edits applied. Keeps the rows of datasets in memory. */
export class LocalData {
  private readonly rows = new Map<number, Promise<ImageRow[]>>();
  /** Figures of images with pending edits. */
  private readonly figures = new Map<number, Known>();
  private readonly stop: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `username` is the user of the copies. */
  constructor(
    readonly store: CopyStore,
    private readonly pending: PendingEdits,
    private readonly username: string,
  ) {
    this.stop = store.onChange("images", () => this.noteChange());
  }

  close(): void {
    clearTimeout(this.timer);
    this.stop();
  }

  /** Returns the datasets in this browser in order of id, with pending categories and category edits applied. */
  async datasets(): Promise<DatasetRow[]> {
    const [rows, withPending] = await Promise.all([
      this.store.datasets.orderBy("id").toArray(),
      this.categoryChanges(),
    ]);
    return rows.map(withPending);
  }

  /** Returns one dataset like `datasets`; undefined if it is not in this browser. */
  async dataset(id: number): Promise<DatasetRow | undefined> {
    const [row, withPending] = await Promise.all([this.store.datasets.get(id), this.categoryChanges()]);
    return row && withPending(row);
  }

  /**
   * Creates a category that the server does not have yet. Returns undefined if no reserved id is left. Rejects if the
   * browser cannot store the category.
   */
  async createCategory(input: CategoryInput, datasetId: number): Promise<SceneCategory | undefined> {
    const id = await takeReservedId(this.store);
    if (id === undefined) return undefined;
    const category = categoryOfInput(id, input, this.username);
    await this.pending.addCategory({ id, input, dataset_id: datasetId });
    return category;
  }

  private async categoryChanges(): Promise<(row: DatasetRow) => DatasetRow> {
    const [rows, changes] = await Promise.all([this.pending.newCategories(), this.pending.categories()]);
    const made = rows.map(({ id, input, dataset_id }) => ({
      datasetId: dataset_id,
      category: categoryOfInput(id, input, this.username),
    }));
    return (row) => {
      const own = made.filter(({ datasetId }) => datasetId === row.id);
      const whole = own.reduce((before, { category }) => withCategory(before, category), row);
      return withChanges(whole, changes);
    };
  }

  /** Returns the scene of an image with pending edits applied; undefined if it is not here. */
  async scene(imageId: number): Promise<SceneRow | undefined> {
    const [row, edits] = await Promise.all([this.store.scenes.get(imageId), this.pending.read()]);
    return row && editedScene(row, edits.get(imageId) ?? []);
  }

  /** Returns the scenes of a dataset in this browser in order of image id, with pending edits applied. */
  async *scenes(datasetId: number): AsyncGenerator<SceneRow> {
    const edits = await this.pending.read();
    const ids = (await this.stored(datasetId)).map(({ id }) => id);
    for (let i = 0; i < ids.length; i += SCENES_AT_ONCE)
      for (const row of await this.store.scenes.bulkGet(ids.slice(i, i + SCENES_AT_ONCE)))
        if (row) yield editedScene(row, edits.get(row.image_id) ?? []);
  }

  /** Calls `use` with each scene in this browser, with pending edits applied. */
  async eachScene(use: (scene: SceneRow) => void): Promise<void> {
    const edits = await this.pending.read();
    await this.store.scenes.each((row) => use(editedScene(row, edits.get(row.image_id) ?? [])));
  }

  /** Returns the images of a dataset in this browser in order of id, with pending edits applied to their figures. */
  async images(datasetId: number): Promise<ImageRow[]> {
    const [rows, edits] = await Promise.all([this.stored(datasetId), this.pending.read()]);
    if (edits.size === 0) return rows;
    const changed = rows.filter(({ id }) => edits.has(id));
    await Promise.all(changed.map((row) => this.updateFigures(row, edits.get(row.id) ?? [])));
    return rows.map((row) => (edits.has(row.id) ? { ...row, ...this.figures.get(row.id)?.figures } : row));
  }

  private stored(datasetId: number): Promise<ImageRow[]> {
    const known = this.rows.get(datasetId);
    if (known) return known;
    const read = this.read(datasetId);
    this.rows.set(datasetId, read);
    read.catch(() => this.rows.delete(datasetId));
    return read;
  }

  private async read(datasetId: number): Promise<ImageRow[]> {
    return (await this.store.images.where("dataset_id").equals(datasetId).toArray()).sort((a, b) => a.id - b.id);
  }

  private async updateFigures(row: ImageRow, edits: readonly Parameters<typeof figuresAfter>[2][number][]) {
    const known = this.figures.get(row.id);
    if (known?.row === row && known.edits === edits.length) return;
    const scene = await this.store.scenes.get(row.id);
    const figures = scene ? figuresAfter(row, scene, edits) : row;
    const { annotated, num_annotations, category_ids, done, stage } = figures;
    this.figures.set(row.id, {
      row,
      edits: edits.length,
      figures: { annotated, num_annotations, category_ids, done, stage },
    });
  }

  /**
   * Discards the rows in memory. While the server is away, hardly anything changes except the time of use of each
   * opened image, so the old rows are used until they have been read again.
   */
  private noteChange(): void {
    if (getReach() === "reachable") {
      this.rows.clear();
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const id of this.rows.keys()) void this.reread(id);
    }, REREAD_MS);
  }

  private async reread(datasetId: number): Promise<void> {
    const rows = await this.read(datasetId).catch(() => undefined);
    if (rows) this.rows.set(datasetId, Promise.resolve(rows));
  }
}

function withChanges(row: DatasetRow, changes: readonly CategoryEdit[]): DatasetRow {
  if (changes.length === 0) return row;
  const categories = row.categories.map((category) =>
    changes
      .filter(({ target }) => target === category.id)
      .reduce((before, { after }) => changedCategory(before, after), category),
  );
  return { ...row, categories };
}
