import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { Change, EditAnswer, ImageEdit } from "../../../../shared/edits/edit";
import { hasSameField } from "../../../../shared/edits/same";
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

/** The document's image, with its labels, metadata and done mark, and the users who have it open. */
export class OpenImage implements DocumentSubject<"image"> {
  private image: SceneImage;
  /** For each of the image's own fields, the revision in which an edit of this tab stored it. */
  private readonly storedIn = new Map<string, number>();
  /** Users who have the image open; null until the first presence event. A scene that arrives later may be older. */
  private users: string[] | null = null;

  constructor(scene: AnnotatorScene) {
    this.image = scene.image;
  }

  get value(): SceneImage {
    return this.image;
  }

  load({ image }: AnnotatorScene): void {
    this.image = this.users ? { ...image, annotating: this.users } : image;
  }

  showUsers(annotating: string[]): void {
    this.users = annotating;
    this.image = { ...this.image, annotating };
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
    this.change(after);
  }

  stamp({ after }: ImageEdit, { revision }: Pick<EditAnswer, "revision">): boolean {
    if (revision != null) for (const field of Object.keys(after)) this.storedIn.set(field, revision);
    return true;
  }

  limitRevision({ base }: ImageEdit): void {
    this.image = { ...this.image, fieldsRevision: Math.min(imageBase(this.image), base) };
  }

  /** A remote change hidden by a pending edit does not count as seen, so that a later edit is not based on it. */
  applyChange(change: Change, keep: ReadonlySet<string>, isOwn: boolean): boolean {
    const { revision } = change;
    const fields = this.newerFields(change);
    const isHidden = Object.keys(fields).some((field) => keep.has(field) && !hasSameField(fields, this.image, field));
    if (isHidden && !isOwn)
      this.image = { ...this.image, fieldsRevision: Math.min(imageBase(this.image), revision - 1) };
    this.change(fieldsExcept({ ...change, fields }, keep));
    return true;
  }

  private change({ labels, metadata, done = this.image.done }: ImageEdit["after"]): void {
    this.image = { ...this.image, ...(labels && { labels }), ...(metadata && { metadata }), done };
  }

  /** Returns the fields that this tab has not stored in a later revision. */
  private newerFields({ fields, revision }: Change): Change["fields"] {
    const isNewer = (field: string) => (this.storedIn.get(field) ?? -1) < revision;
    return Object.fromEntries(Object.entries(fields).filter(([field]) => isNewer(field)));
  }
}
