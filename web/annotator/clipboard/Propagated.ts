import { SerialQueue } from "../../../shared/async/serialQueue";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { inverseEdit } from "../../../shared/edits/inverse";
import { journalName, type Owner } from "../../io/journal/journalName";
import { uuid } from "../../io/uuid";
import { askBeforeClosing } from "../../sync/askBeforeClosing";
import type { AnnotatorDocument } from "../document/document";
import { stillHolds } from "../document/stillHolds";
import { OpenDocuments } from "./OpenDocuments";

/** Access to images other than the open one. */
export interface OtherImages {
  /**
   * Loads an image as the user sees it. Rejects if the server cannot be reached and this browser has no copy of the
   * image.
   */
  load(imageId: number): Promise<AnnotatorDocument>;
  /** Records edits that were applied to a loaded image. Resolves when the edits are stored in this browser. */
  record(document: AnnotatorDocument, edits: readonly AnnotationEdit[]): Promise<void>;
}

export interface Reverted {
  /** Number of annotations that were reverted, and the number of their images. */
  annotations: number;
  images: number;
  /** Number of annotations that stay because they were changed since. */
  changed: number;
  /** Number of images that could not be loaded. They can be tried again. */
  absent: number;
}

interface OnImage {
  /** The edits that created the annotations or, after an undo, the edits that deleted them. */
  edits: AnnotationEdit[];
  isUndone: boolean;
}

/** Annotations that one propagation has created on other images, for its undo and redo. */
export class Propagated {
  private readonly images: Map<number, OnImage>;
  /** Runs undo and redo one after another, because each starts from the result of the previous one. */
  private readonly turns = new SerialQueue();

  constructor(edits: ReadonlyMap<number, readonly AnnotationEdit[]>) {
    this.images = new Map([...edits].map(([image, made]) => [image, { edits: [...made], isUndone: false }]));
  }

  /** True if undo would change any image. */
  get canUndo(): boolean {
    return [...this.images.values()].some(({ isUndone }) => !isUndone);
  }

  /**
   * Undoes or redoes the edits. Annotations that any user has changed since are left unchanged. Images that cannot be
   * loaded can be tried again. `documents`: the open images, which the user may open and leave meanwhile.
   */
  revert(to: "undone" | "made", others: OtherImages, documents: OpenDocuments): Promise<Reverted> {
    return this.turns.add(async () => {
      const done: Reverted = { annotations: 0, images: 0, changed: 0, absent: 0 };
      for (const [imageId, image] of this.images) {
        if (image.isUndone === (to === "undone")) continue;
        let loaded: AnnotatorDocument | null;
        do {
          await documents.opening(imageId);
          loaded = documents.of(imageId) ? null : await others.load(imageId).catch(() => null);
        } while (documents.opening(imageId));
        // From here until the edits are applied, nothing is awaited, since the image could be opened or closed.
        const open = documents.of(imageId);
        const document = open ?? loaded;
        if (!document) {
          done.absent++;
          continue;
        }
        const { edits } = image;
        const holding = edits.filter((edit) => stillHolds(document, [edit]));
        const inverse = holding.map((edit) => inverseEdit(edit, document.baseOf(edit), uuid()) as AnnotationEdit);
        document.apply(inverse, "undo");
        if (!open && inverse.length > 0) await others.record(document, inverse);
        Object.assign(image, { edits: inverse, isUndone: to === "undone" });
        done.annotations += inverse.length;
        done.changed += edits.length - inverse.length;
        if (inverse.length > 0) done.images++;
      }
      return done;
    });
  }
}

/** The last propagation of this page, which can be undone from any image. */
export class LastPropagation {
  propagated: Propagated | null = null;
  /** Undoes the propagation through the open image's editor; null while no image is open. */
  undo: (() => void) | null = null;
  /** Documents of the open images, in which undo and redo make their edits. */
  readonly documents = new OpenDocuments();
  private reverting = 0;

  /** True while an undo or redo runs. If the page were closed, it would end halfway. */
  get isReverting(): boolean {
    return this.reverting > 0;
  }

  /** Undoes or redoes a propagation, see `Propagated.revert`. */
  async revert(propagated: Propagated, to: "undone" | "made", others: OtherImages): Promise<Reverted> {
    this.reverting++;
    try {
      return await propagated.revert(to, others, this.documents);
    } finally {
      this.reverting--;
    }
  }
}

/** The last propagation of each user of this page. */
const byUser = new Map<string, LastPropagation>();

/** Returns a user's last propagation, the same for all images of the page. */
export function lastPropagationOf(owner: Owner): LastPropagation {
  const name = journalName(owner);
  const known = byUser.get(name);
  if (known) return known;
  const last = new LastPropagation();
  // Never stops, because an undo continues after its image was left.
  askBeforeClosing(() => last.isReverting);
  byUser.set(name, last);
  return last;
}
