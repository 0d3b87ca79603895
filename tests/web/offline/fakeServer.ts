import type { CopiedAnnotation, CopiedScene, ManifestImage, SceneCategory } from "../../../shared/api/offline";
import { RequestError } from "../../../shared/api/protocol/requestError";
import type { Comment } from "../../../shared/entities/comment";
import type { Dataset, DatasetPermissions } from "../../../shared/entities/dataset";
import type { DownloadPorts, FetchedFile, FileWish, Part } from "../../../web/offline/download/ports";

const PERMISSIONS: DatasetPermissions = {
  ...{ owner: true, edit: true, review: true, manage: true, share: true, generate: true, delete: true, download: true },
};

interface StoredImage {
  manifest: ManifestImage;
  annotations: CopiedAnnotation[];
  content: string;
  extra?: CopiedScene["image"]["extra"];
  deleted?: CopiedScene["deleted"];
}

/** The server's side of copies as its ports see it: one dataset, whose images tests change. */
export class FakeServer {
  readonly images = new Map<number, StoredImage>();
  readonly dataset: Dataset & { permissions: DatasetPermissions };
  categories: SceneCategory[] = [category(1)];
  /** Comments on images, by image. */
  readonly comments = new Map<number, Comment[]>();
  /** Ids that are left to be reserved. */
  readonly reserved = Array.from({ length: 100 }, (_, i) => 1000 + i);
  isAway = false;
  isGone = false;
  /** True if something in between responds to the manifest with 404. */
  hidesManifest = false;
  /** Calls and files that were requested, in order: `manifest`, `scenes 1,2`, `file 1`. */
  readonly log: string[] = [];
  /** Replaces the download of an image's file. */
  readonly files = new Map<number, (wish: FileWish, signal: AbortSignal) => Promise<FetchedFile>>();
  keepDextr = async (): Promise<void> => void this.log.push("dextr");
  /** Runs before each response. */
  beforeResponse: (entry: string) => Promise<void> | void = () => undefined;
  private readonly listeners = new Set<() => void>();

  constructor(readonly id = 1) {
    this.dataset = {
      ...{
        id,
        name: `dataset ${id}`,
        directory: `/datasets/dataset ${id}/`,
        owner: "ada",
        users: [],
        members: [],
        categories: [1],
      },
      ...{
        annotate_url: "",
        default_annotation_metadata: {},
        review: false,
        queue_order: "list",
        queue_assigned_only: false,
        permissions: PERMISSIONS,
      },
    };
  }

  add(...ids: number[]): void {
    for (const id of ids) this.images.set(id, { manifest: manifestImage(id), annotations: [], content: `image ${id}` });
  }

  image(id: number): StoredImage {
    const image = this.images.get(id);
    if (!image) throw new Error(`There is no image ${id}.`);
    return image;
  }

  /** Stores an annotation by another user. */
  annotate(id: number, annotation: CopiedAnnotation): void {
    const image = this.image(id);
    image.annotations.push(annotation);
    image.manifest.revision += 1;
    image.manifest.num_annotations += 1;
    image.manifest.annotated = true;
  }

  setAway(isAway: boolean): void {
    this.isAway = isAway;
    for (const listener of this.listeners) listener();
  }

  count(prefix: string): number {
    return this.log.filter((entry) => entry.startsWith(prefix)).length;
  }

  get ports(): DownloadPorts {
    return {
      // The fake has the types of the calls that copies make, not of all calls.
      request: this.respond.bind(this) as unknown as DownloadPorts["request"],
      loader: {
        load: (wish, _, signal) => this.load(wish, signal),
        keepDextr: () => this.keepDextr(),
        close: () => undefined,
      },
      reach: {
        isAway: () => this.isAway,
        subscribe: (listener) => {
          this.listeners.add(listener);
          return () => this.listeners.delete(listener);
        },
      },
    };
  }

  scene(id: number): CopiedScene {
    const { manifest, annotations, extra, deleted } = this.image(id);
    const { bytes: _, hash: __, ...summary } = manifest;
    const image = {
      ...summary,
      dataset_id: this.id,
      metadata: {},
      milliseconds: 0,
      labels: [],
      ...(extra && { extra }),
    };
    const returned = { returned_by: null, returned_at: null };
    const comments = this.comments.get(id);
    const more = { ...(comments && { comments }), ...(deleted && { deleted }) };
    return structuredClone({ image: { ...image, ...returned }, annotations, ...more });
  }

  private async respond(
    { path }: { path: string },
    given: { body?: { ids?: number[]; count?: number } },
  ): Promise<unknown> {
    if (path.endsWith("/manifest")) return this.answer("manifest", () => this.manifest());
    if (path.endsWith("/scenes")) {
      const ids = given.body?.ids ?? [];
      return this.answer(`scenes ${ids.join(",")}`, () => ({
        scenes: ids.filter((id) => this.images.has(id)).map((id) => this.scene(id)),
        missing: ids.filter((id) => !this.images.has(id)),
      }));
    }
    // Not logged: the ids concern no dataset.
    if (path.endsWith("/ids")) return { ids: this.reserved.splice(0, given.body?.count ?? 0) };
    return this.answer("datasets", () => ({
      datasets: this.isGone ? [] : [{ id: this.id }],
      pagination: { pages: 1 },
    }));
  }

  private async answer<T>(entry: string, output: () => T): Promise<T> {
    this.log.push(entry);
    if (this.isAway) throw new RequestError(0, "", "The server cannot be reached.");
    if (entry !== "datasets" && (this.isGone || (this.hidesManifest && entry === "manifest")))
      throw new RequestError(404, "", "dataset does not exist");
    const value = output();
    await this.beforeResponse(entry);
    return value;
  }

  private manifest() {
    const images = [...this.images.values()].map(({ manifest }) => manifest);
    return structuredClone({ dataset: this.dataset, categories: this.categories, preferences: {}, images });
  }

  private async load(wish: FileWish, signal: AbortSignal): Promise<FetchedFile> {
    const { imageId: id } = wish;
    this.log.push(`file ${id}`);
    await this.beforeResponse(`file ${id}`);
    const failed = (status: number, part: Part | null = null) => ({ kind: "failed" as const, status, part });
    if (this.isAway || signal.aborted) return failed(0);
    const special = this.files.get(id);
    if (special) return special(wish, signal);
    const image = this.images.get(id);
    return image ? { kind: "file", blob: new Blob([image.content]) } : failed(404);
  }
}

function manifestImage(id: number): ManifestImage {
  return {
    ...{ id, file_name: `${id}.jpg`, path: `${id}.jpg`, width: 100, height: 80, annotated: false, num_annotations: 0 },
    ...{
      done: false,
      stage: "open" as const,
      category_ids: [],
      revision: 0,
      bytes: `image ${id}`.length,
      hash: `hash ${id}`,
    },
  };
}

function category(id: number): SceneCategory {
  return {
    ...{ id, name: `category ${id}`, supercategory: "", color: "#ff0000", metadata: {}, creator: "ada", revision: 0 },
    ...{ keypoint_labels: [], keypoint_edges: [], keypoint_colors: [], keypoint_label_ids: [], attributes: [] },
    permissions: { edit: true, delete: true },
  };
}
