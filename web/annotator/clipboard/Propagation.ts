import { plural, t } from "@lingui/core/macro";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { creation } from "../../../shared/edits/make";
import type { ImageSummary } from "../../../shared/entities/image";
import { uuid } from "../../io/uuid";
import { serverText } from "../../languages/serverText";
import type { AnnotatorDocument } from "../document/document";
import type { ImageList } from "../document/ports";
import { counted } from "../document/stepNames";
import type { ClipboardParts } from "./Clipboard";
import { type Copies, copiesFor, copyOf } from "./fitting";
import { watchLaterWork } from "./laterWork";
import { type LastPropagation, type OtherImages, Propagated, type Reverted } from "./Propagated";
import type { PastedAnnotation } from "./readCocoText";

export interface PropagationParts extends ClipboardParts {
  list: ImageList;
  others: OtherImages;
  last: LastPropagation;
}

/** An image that annotations may be propagated to. */
export interface Target {
  image: ImageSummary;
  /** The image as the user sees it; null if it cannot be loaded. */
  document: AnnotatorDocument | null;
}

/** Maximum number of images that annotations are propagated to at once. */
export const MAX_TARGETS = 500;
/** Number of images that are loaded at a time. */
const AT_ONCE = 4;
const title = () => t`Propagate`;

/** Copies the selected annotations to the next images of the list, as one undo step. */
export class Propagation {
  private isClosed = false;
  private readonly undoHere = () => this.undoLast();

  constructor(private readonly parts: PropagationParts) {
    parts.last.undo = this.undoHere;
  }

  /** Must be called when the image is left. */
  close(): void {
    this.isClosed = true;
    const { last } = this.parts;
    if (last.undo === this.undoHere) last.undo = null;
  }

  /**
   * Opens the dialog, or shows a message that says why there is nothing to propagate. Does neither if the user has gone
   * on to something else while pending gestures were computed.
   */
  open(): void {
    const { drawing, document, ui } = this.parts;
    const isDisturbed = drawing.isBusy ? watchLaterWork(this.parts) : () => false;
    drawing.after(() => {
      if (isDisturbed()) return;
      const copied = this.copied();
      if (this.parts.selecting.annotations.length === 0) ui.showMessage(t`No annotation is selected`);
      else if (copied.length === 0) ui.showMessage(t`The selected annotations are empty`);
      else if (document.state.image.next === null) ui.showMessage(t`This is the last image of the list`);
      else ui.open({ kind: "propagate" });
    });
  }

  /** Returns copies of the selected annotations that have a shape or keypoints. */
  copied(): PastedAnnotation[] {
    const { selecting, outlines } = this.parts;
    return selecting.annotations
      .map((annotation) => copyOf(annotation, outlines.of(annotation)))
      .filter(({ rings, keypoints }) => rings.length > 0 || !!keypoints?.length);
  }

  /** Returns the place of this image in the list, and the next images, at most `count`. */
  async next(count: number): Promise<{ before: number; total: number; images: ImageSummary[] }> {
    const { list, document } = this.parts;
    const place = await list.place();
    // The image itself is not in the list any more if it no longer passes the filter.
    const read = await list.read(place.before, count + 1);
    const images = read.filter(({ id }) => id !== document.state.image.id).slice(0, count);
    return { ...place, images };
  }

  /** Loads images and calls `onLoaded` with each. Rejects with the signal's reason if it is aborted. */
  async load(images: readonly ImageSummary[], onLoaded: (target: Target) => void, signal: AbortSignal): Promise<void> {
    const waiting = [...images];
    const work = async () => {
      for (let image = waiting.shift(); image; image = waiting.shift()) {
        signal.throwIfAborted();
        const document = await this.parts.others.load(image.id).catch(() => null);
        signal.throwIfAborted();
        onLoaded({ image, document });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Returns the copies that an image would get. */
  copiesFor({ image, document }: Target, copied: readonly PastedAnnotation[], skipsCategories: boolean): Copies {
    const present = document ? [...document.state.annotations.values()] : [];
    return copiesFor(copied, image, present, skipsCategories);
  }

  /** Adds copies to images as one undo step of this image. Resolves when the edits are stored in this browser. */
  async apply(
    made: readonly { document: AnnotatorDocument; annotations: readonly PastedAnnotation[] }[],
  ): Promise<void> {
    const { others, history, last, ui, notify } = this.parts;
    const byImage = new Map<number, AnnotationEdit[]>();
    const recorded: Promise<void>[] = [];
    for (const { document, annotations } of made) {
      if (annotations.length === 0) continue;
      const { id } = document.state.image;
      const edits = annotations.map((annotation) => creation(uuid(), id, uuid(), annotation));
      document.apply(edits, "local");
      byImage.set(id, edits);
      recorded.push(others.record(document, edits));
    }
    if (byImage.size === 0) return;
    await Promise.all(recorded);
    const propagated = new Propagated(byImage);
    last.propagated = propagated;
    const count = [...byImage.values()].flat().length;
    history.addOutside(
      { name: counted(count), action: t`Propagate` },
      {
        undo: () => void this.revert(propagated, "undone"),
        redo: () => void this.revert(propagated, "made"),
      },
    );
    ui.announce(plural(count, { one: "# annotation propagated", other: "# annotations propagated" }));
    notify("info", title(), addedText(count, byImage.size), {
      label: t`Undo`,
      endsWithImage: false,
      // The user may have left the image by then.
      onClick: () => (last.propagated === propagated ? last.undo?.() : undefined),
    });
  }

  /** Undoes the last propagation of this page, whichever image it was made on. */
  undoLast(): void {
    const { last, ui } = this.parts;
    if (last.propagated?.canUndo) void this.revert(last.propagated, "undone");
    else ui.showMessage(t`There is no propagation to undo`);
  }

  private async revert(propagated: Propagated, to: "undone" | "made"): Promise<void> {
    const { others, last, notify, ui } = this.parts;
    if (!this.isClosed) ui.showMessage(to === "undone" ? t`Undoing the propagation…` : t`Redoing the propagation…`);
    try {
      const done = await last.revert(propagated, to, others);
      const text = revertedText(done, to);
      if (done.changed + done.absent > 0) notify("info", title(), text);
      else if (!this.isClosed) ui.showMessage(text);
    } catch (error) {
      notify(
        "error",
        title(),
        error instanceof Error ? serverText(error.message) : t`The propagation could not be undone or redone.`,
      );
    }
  }
}

function addedText(count: number, imageCount: number): string {
  const images = imagesText(imageCount);
  return plural(count, { one: `# annotation added to ${images}.`, other: `# annotations added to ${images}.` });
}

function removedText(count: number, imageCount: number): string {
  const images = imagesText(imageCount);
  return plural(count, { one: `# annotation removed from ${images}.`, other: `# annotations removed from ${images}.` });
}

const imagesText = (count: number): string => plural(count, { one: "# image", other: "# images" });

function revertedText({ annotations, images, changed, absent }: Reverted, to: "undone" | "made"): string {
  if (annotations + changed + absent === 0)
    return to === "undone" ? t`The propagation is already undone` : t`The propagation is already redone`;
  const lines = [
    to === "undone" ? removedText(annotations, images) : addedText(annotations, images),
    changed > 0 &&
      plural(changed, {
        one: "# annotation kept, because of later changes.",
        other: "# annotations kept, because of later changes.",
      }),
    absent > 0 &&
      plural(absent, {
        one: "# image could not be loaded. Try again when the server is back.",
        other: "# images could not be loaded. Try again when the server is back.",
      }),
  ];
  return lines.filter(Boolean).join("\n");
}
