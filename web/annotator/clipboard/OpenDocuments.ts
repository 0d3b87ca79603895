import type { AnnotatorDocument } from "../document/document";

/**
 * Documents of the images that are open on this page, which record their edits themselves. An image that was left stays
 * here until its last drawings are recorded.
 */
export class OpenDocuments {
  private readonly documents = new Map<number, AnnotatorDocument>();
  private readonly openings = new Map<number, Promise<void>>();

  /** Returns the document of an open image; null if the image is not open. */
  of(imageId: number): AnnotatorDocument | null {
    return this.documents.get(imageId) ?? null;
  }

  /** Resolves when an image is open or could not be opened. Undefined if it is not being opened. */
  opening(imageId: number): Promise<void> | undefined {
    return this.openings.get(imageId);
  }

  /** Adds the document of an image that has been opened. Returns a function that removes it. */
  add(document: AnnotatorDocument): () => void {
    const { id } = document.state.image;
    this.documents.set(id, document);
    return () => {
      if (this.documents.get(id) === document) this.documents.delete(id);
    };
  }

  /** Notes that an image is being opened, until `opened` is settled. Must be called before the image is read. */
  noteOpening(imageId: number, opened: Promise<unknown>): void {
    const end = () => {
      if (this.openings.get(imageId) === opening) this.openings.delete(imageId);
    };
    const opening = opened.then(end, end);
    this.openings.set(imageId, opening);
  }
}
