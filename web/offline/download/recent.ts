import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { CopiedScene } from "../../../shared/api/offline";
import { SerialQueue } from "../../../shared/async/serialQueue";
import { hasFile } from "../copy/chosen";
import type { CopyStore } from "../copy/copyStore";
import { recentImages, recentLimit } from "../copy/readState";
import type { DatasetRow, ImageRow } from "../copy/records";
import { forgetContents, forgetDataset, forgetImages } from "../copy/removal";
import { downloadFile } from "./files";
import { storeFiles } from "./fileWriter";
import { isQuotaError } from "./outcome";
import type { FileLoader } from "./ports";
import { putScenes } from "./scenes";

/** Number of annotations from which a scene is kept only after a pause, in which the page can show it. */
export const LARGE_SCENE = 5_000;
/** Length of this pause in milliseconds. */
const PAUSE_MS = 2_000;
/** `sceneRevision` of an image whose scene was never downloaded, only opened. */
const NEVER_DOWNLOADED = -1;

/** Keeps images that the user opens. Above a limit, removes the least recently opened ones. */
export class RecentImages {
  /** Keeps files and removes images, one after another. */
  private readonly turns = new SerialQueue();
  /**
   * Keeps scenes, one after another. Separate from files, which may take minutes on a slow line: the server's responses
   * to edits must find the scenes that the edits change. `pauses` ends the pauses of all that were noted so far.
   */
  private readonly scenes = new SerialQueue();
  private pauses = new AbortController();
  private readonly closing = new AbortController();

  constructor(
    private readonly store: CopyStore,
    private readonly loader: FileLoader,
  ) {}

  /**
   * Keeps an image that the server has just sent, with its scene and file. A large scene is kept a little later, since
   * storing 50,000 outlines would delay the frame that shows them by a second. Rejects if the browser cannot store it.
   */
  note(scene: AnnotatorScene): Promise<void> {
    const { signal } = this.pauses;
    const isLarge = countAnnotations(scene) >= LARGE_SCENE;
    const keeping = this.scenes.add(async () => {
      if (isLarge) await pauseUnless(signal);
      return this.keepScene(scene);
    });
    // The turn handles a failure, but perhaps not before another image's file is kept.
    keeping.catch(() => undefined);
    return this.turns.add(async () => {
      if (!(await keeping)) return;
      await this.keepFile(scene.image.id);
      await this.evict();
    });
  }

  /** Ends all pauses. Resolves when the scenes that were noted so far are kept, or could not be. */
  async keepNow(): Promise<void> {
    this.pauses.abort();
    this.pauses = new AbortController();
    await this.scenes.settled();
  }

  /** Notes that the user has opened an image from the copy. */
  async noteUse(imageId: number): Promise<void> {
    await this.store.images.update(imageId, { usedAt: Date.now() });
  }

  async setLimit(bytes: number): Promise<void> {
    await this.store.settings.put({ key: "recentLimit", value: bytes });
    await this.turns.add(() => this.evict());
  }

  close(): void {
    this.closing.abort();
    this.pauses.abort();
  }

  /** Downloads the file of an image whose scene is kept, unless the file is here or the image was removed since. */
  private async keepFile(imageId: number): Promise<void> {
    const { signal } = this.closing;
    const row = await this.store.images.get(imageId);
    const dataset = row && (await this.store.datasets.get(row.dataset_id));
    const form = dataset?.choice?.form ?? "original";
    if (!row || hasFile(row, form)) return;
    try {
      const part = await this.store.parts.get(imageId);
      const blob = await downloadFile(this.store, this.loader, { row, form, part, isShown: true }, signal);
      if (blob instanceof Blob) await storeFiles(this.store, [{ row, form, blob }]);
    } catch (error) {
      // If the server went away meanwhile, the file is kept when the image is opened the next time.
      if (isQuotaError(error)) throw error;
    }
  }

  /** Returns false if the limit keeps no images. */
  private keepScene(scene: AnnotatorScene): Promise<boolean> {
    return this.store.changeAll(async () => {
      if ((await recentLimit(this.store)) === 0 && !(await this.store.images.get(scene.image.id))) return false;
      const dataset = (await this.store.datasets.get(scene.dataset.id)) ?? unchosenRow(scene);
      const known = await this.store.images.get(scene.image.id);
      const opened = copiedSceneOf(scene);
      const row = { ...(known ?? newRow(opened)), usedAt: Date.now() };
      if (!dataset.choice) await this.store.datasets.put({ ...dataset, ...sharedOf(scene, dataset) });
      const { revision } = opened.image;
      // The downloaded scene of this revision contains more.
      const isDownloaded = dataset.choice !== null && row.sceneRevision === revision;
      if (revision < row.revision || isDownloaded) await this.store.images.update(row.id, { usedAt: row.usedAt });
      else {
        const before = dataset.choice ? await this.store.scenes.get(row.id) : undefined;
        const copied = before ? completed(opened, before) : opened;
        await putScenes(this.store, dataset, [{ row: refreshed(row, copied), scene: copied }]);
        // Lets the next update of a chosen dataset download the scene.
        await this.store.images.update(row.id, { sceneRevision: row.sceneRevision ?? NEVER_DOWNLOADED });
      }
      return true;
    });
  }

  /** Removes images above the limit, in one transaction: an image whose scene is being kept again must not go with it. */
  private evict(): Promise<void> {
    return this.store.changeAll(async () => {
      const limit = await recentLimit(this.store);
      const rows = await recentImages(this.store);
      let bytes = rows.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);
      for (const row of rows) {
        if (limit > 0 && bytes <= limit) break;
        bytes -= row.file?.bytes ?? 0;
        await this.drop(row);
      }
    });
  }

  /** Must run inside `store.changeAll`. */
  private async drop({ id, dataset_id }: ImageRow): Promise<void> {
    const dataset = await this.store.datasets.get(dataset_id);
    if (dataset?.choice) return forgetContents(this.store, [id]);
    await forgetImages(this.store, [id]);
    if ((await this.store.images.where("dataset_id").equals(dataset_id).count()) === 0)
      await forgetDataset(this.store, dataset_id);
  }
}

const countAnnotations = ({ categories }: AnnotatorScene): number =>
  categories.reduce((sum, { annotations }) => sum + annotations.length, 0);

/** Resolves after the pause, or as soon as the signal is aborted. */
async function pauseUnless(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Returns the scene as copies store it, without the data that all images of a dataset share. */
function copiedSceneOf({ image, categories, comments, deleted }: AnnotatorScene): CopiedScene {
  const { annotating: _, previous: __, next: ___, next_not_annotated: ____, ...own } = image;
  const annotations = categories.flatMap((category) => category.annotations);
  return { image: own, annotations, ...(comments && { comments }), ...(deleted && { deleted }) };
}

/**
 * Returns the scene of an opened image with what exports need and only downloaded scenes contain, as far as it is known
 * from the scene before: that of annotations which have changed since is not.
 */
function completed(opened: CopiedScene, before: CopiedScene): CopiedScene {
  const known = new Map(before.annotations.map((annotation) => [annotation.uuid, annotation]));
  const { extra } = before.image;
  return {
    ...opened,
    image: { ...opened.image, ...(extra && { extra }) },
    annotations: opened.annotations.map((annotation) => {
      const old = known.get(annotation.uuid);
      if (!old || old.revision !== annotation.revision) return annotation;
      return { ...annotation, ...(old.stored && { stored: old.stored }), ...(old.extra && { extra: old.extra }) };
    }),
  };
}

function newRow({ image }: CopiedScene): ImageRow {
  const { id, file_name, path, width, height, annotated, num_annotations, category_ids, revision } = image;
  const summary = { id, file_name, path, width, height, annotated, num_annotations, category_ids, revision };
  const stages = { done: image.done, stage: image.stage };
  // Only a manifest contains the hash and size of the file.
  const file = { bytes: 0, hash: "", file: null };
  return { ...summary, ...stages, ...file, dataset_id: image.dataset_id, sceneRevision: null, usedAt: 0 };
}

/** Returns the row with the names and size of the scene, and without its file if the size has changed. */
function refreshed(row: ImageRow, { image }: CopiedScene): ImageRow {
  const { file_name, path, width, height } = image;
  const isSameSize = row.width === width && row.height === height;
  return { ...row, file_name, path, width, height, ...(!isSameSize && { file: null }) };
}

const sharedOf = ({ dataset, permissions, categories, preferences }: AnnotatorScene, before: DatasetRow) => {
  const sent = categories.map(({ annotations: _, ...category }) => category);
  const ids = new Set(sent.map(({ id }) => id));
  const others = before.categories.filter(({ id }) => !ids.has(id));
  return {
    dataset: { ...dataset, permissions: permissions.dataset },
    categories: [...sent, ...others].sort((a, b) => a.id - b.id),
    preferences,
  };
};

function unchosenRow(scene: AnnotatorScene): DatasetRow {
  const { dataset, permissions, preferences } = scene;
  return {
    ...{ id: dataset.id, dataset: { ...dataset, permissions: permissions.dataset }, categories: [], preferences },
    ...{ choice: null, state: "waiting", problem: null, syncedAt: null },
  };
}
