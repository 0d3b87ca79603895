import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { Change, EditAnswer, ImageEdit } from "../../../../shared/edits/edit";
import { hasSameField } from "../../../../shared/edits/same";
import { isDone, movedTo, type StageState, stageAfter, stageOf } from "../../../../shared/rules/stages";
import { type DocumentSubject, fieldsExcept } from "./subject";

export type SceneImage = AnnotatorScene["image"] & {
  /**
   * The base revision for edits of labels and metadata, where it differs from the image's: it stays below remote
   * changes that are hidden here by pending edits.
   */
  fieldsRevision?: number;
};

/** Returns the base revision for edits of the image's own fields. */
export const imageBase = ({ revision, fieldsRevision }: SceneImage): number => fieldsRevision ?? revision;

/** Keys of an image that change together with its stage. */
const STAGE_KEYS = ["done", "stage", "returned_by", "returned_at"];

/** Returns keys with those of the stage, if one of them is among the keys. */
const withStageKeys = (keys: readonly string[]): string[] =>
  keys.some((key) => STAGE_KEYS.includes(key)) ? [...keys, ...STAGE_KEYS] : [...keys];

/** The document's image, with its labels, metadata and stage, and the users who have it open. */
export class OpenImage implements DocumentSubject<"image"> {
  private image: SceneImage;
  /** For each of the image's own fields, the revision in which an edit of this tab stored it. */
  private readonly storedIn = new Map<string, number>();
  /** Users who have the image open; null until the first presence event. A scene that arrives later may be older. */
  private users: string[] | null = null;

  /** True if the dataset asks for review. */
  private isReviewed = false;
  private mayReview = false;

  constructor(
    scene: AnnotatorScene,
    private readonly username: string | null,
  ) {
    this.image = scene.image;
    this.load(scene);
  }

  get value(): SceneImage {
    return this.image;
  }

  load({ image, dataset, permissions }: AnnotatorScene): void {
    // Copies that were stored before images had stages lack these fields.
    this.isReviewed = dataset.review ?? false;
    this.mayReview = permissions.dataset.review ?? false;
    const { returned_by = null, returned_at = null } = image;
    this.image = { ...image, stage: stageOf(image), returned_by, returned_at };
    if (this.users) this.image = { ...this.image, annotating: this.users };
  }

  showUsers(annotating: string[]): void {
    this.users = annotating;
    this.image = { ...this.image, annotating };
  }

  showNeighbours({ previous, next, next_not_annotated }: SceneImage): void {
    this.image = { ...this.image, previous, next, next_not_annotated };
  }

  raiseRevision(revision: number): void {
    this.image = { ...this.image, revision: Math.max(this.image.revision, revision) };
  }

  find(): SceneImage {
    return this.image;
  }

  revisionOf(): number {
    return this.image.revision;
  }

  baseOf(): number {
    return imageBase(this.image);
  }

  apply({ after }: ImageEdit): void {
    const { done, stage, ...fields } = after;
    this.change(fields);
    const to = stageAfter({ done, stage }, this.image, this.isReviewed);
    if (to === this.image.stage) return;
    const by = { user: this.username ?? "", at: new Date().toISOString(), mayReview: this.mayReview };
    this.change(movedTo(to, this.image, by));
  }

  stamp({ after }: ImageEdit, { revision }: Pick<EditAnswer, "revision">): boolean {
    if (revision != null) for (const field of withStageKeys(Object.keys(after))) this.storedIn.set(field, revision);
    return true;
  }

  limitRevision({ base }: ImageEdit): void {
    this.image = { ...this.image, fieldsRevision: Math.min(imageBase(this.image), base) };
  }

  /** A remote change hidden by a pending edit does not count as seen, so that a later edit is not based on it. */
  applyChange(change: Change, pending: ReadonlySet<string>, isOwn: boolean): boolean {
    const { revision } = change;
    const keep = new Set(withStageKeys([...pending]));
    const fields = this.newerFields(change);
    const isHidden = Object.keys(fields).some((field) => keep.has(field) && !hasSameField(fields, this.image, field));
    if (isHidden && !isOwn)
      this.image = { ...this.image, fieldsRevision: Math.min(imageBase(this.image), revision - 1) };
    const { done, ...shown } = fieldsExcept({ ...change, fields }, keep);
    if (typeof done === "boolean" && shown.stage === undefined) shown.stage = stageOf({ done });
    this.change(shown);
    return true;
  }

  /** Sets fields. Recorded changes that are older than stages have only `done`. */
  private change(fields: ImageEdit["after"] & Partial<StageState>): void {
    const { labels, metadata, stage = this.image.stage, returned_by, returned_at } = fields;
    this.image = {
      ...this.image,
      ...(labels && { labels }),
      ...(metadata && { metadata }),
      ...{ stage, done: isDone(stage) },
      ...(returned_by !== undefined && { returned_by }),
      ...(returned_at !== undefined && { returned_at }),
    };
  }

  /** Returns the fields that this tab has not stored in a later revision. */
  private newerFields({ fields, revision }: Change): Change["fields"] {
    const isNewer = (field: string) => (this.storedIn.get(field) ?? -1) < revision;
    return Object.fromEntries(Object.entries(fields).filter(([field]) => isNewer(field)));
  }
}
