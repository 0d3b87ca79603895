import { plural, t } from "@lingui/core/macro";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Rings, Rle } from "../../../shared/entities/shape";
import { serverText } from "../../languages/serverText";
import { addAnnotations } from "../document/addAnnotations";
import type { ClipboardParts } from "./Clipboard";
import { copiesOf, isSameSize } from "./copies";
import { watchLaterWork } from "./laterWork";
import { isAmong } from "./placing";

interface PreviousImageParts extends ClipboardParts {
  /** Loads another image's scene. */
  loadScene: (imageId: number) => Promise<AnnotatorScene>;
  /** Returns the outline of a mask. Rejects if the mask is malformed. */
  trace: (rle: Rle) => Promise<Rings>;
}

const title = () => t`Copying Annotations`;
const ALL: ReadonlySet<number> = new Set();

/** Copies the annotations of the previous image of the list, for series of nearly identical images. */
export class PreviousImage {
  private isBusy = false;
  private isClosed = false;

  constructor(private readonly parts: PreviousImageParts) {}

  /** Prevents annotations that are still being loaded from being added. Must be called when the image is left. */
  close(): void {
    this.isClosed = true;
  }

  /**
   * Adds the annotations that this image does not have in the same place yet, as one undo step. Selects them, unless the
   * user has gone on to something else meanwhile.
   */
  async copy(): Promise<void> {
    const { document, ui, notify } = this.parts;
    const { previous } = document.state.image;
    if (previous === null) ui.showMessage(t`This is the first image of the list`);
    if (previous === null || this.isBusy) return;
    this.isBusy = true;
    try {
      await this.copyFrom(previous);
    } catch (error) {
      if (!this.isClosed)
        notify(
          "error",
          title(),
          error instanceof Error ? serverText(error.message) : t`The previous image could not be loaded.`,
        );
    } finally {
      this.isBusy = false;
    }
  }

  private async copyFrom(previous: number): Promise<void> {
    const { document, drawing, selecting, loadScene, trace, ui, notify } = this.parts;
    const { image } = document.state;
    const isDisturbed = watchLaterWork(this.parts);
    const scene = await loadScene(previous);
    if (this.isClosed) return;
    if (scene.categories.every(({ annotations }) => annotations.length === 0)) {
      ui.showMessage(t`The previous image has no annotations`);
      return;
    }
    if (!isSameSize(scene.image, image)) {
      notify(
        "info",
        title(),
        t`The previous image has a different size. "Copy Annotations from Another Image" can scale them.`,
      );
      return;
    }
    const { annotations, categories } = await copiesOf(scene, image, { without: ALL, trace });
    if (this.isClosed) return;
    drawing.after(() => {
      const present = [...document.state.annotations.values()];
      const added = annotations.filter((annotation) => !isAmong(annotation, present));
      const keepsSelection = isDisturbed();
      const uuids = addAnnotations(this.parts, { action: t`Copy`, annotations: added, categories });
      if (uuids.length > 0 && !keepsSelection) selecting.select(uuids);
      const known = annotations.length - added.length;
      const copied = plural(added.length, { one: "# annotation copied", other: "# annotations copied" });
      ui.showMessage(known > 0 ? t`${copied}, ${known} already there` : copied);
    });
  }
}
