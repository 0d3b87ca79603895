import { plural, t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import type { SystemClipboard } from "../../io/clipboard";
import { addAnnotations } from "../document/addAnnotations";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { lockedText } from "../document/locks";
import type { Outlines } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import { withLocked } from "../selected/changeable";
import type { SelectedCommands } from "../selected/SelectedCommands";
import type { Selecting } from "../selected/Selecting";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { cocoText } from "./cocoText";
import { copyOf } from "./fitting";
import { watchLaterWork } from "./laterWork";
import { isOnImage, placedBeside, placedFreely } from "./placing";
import { type PastedAnnotation, readCocoText } from "./readCocoText";

export interface ClipboardParts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  outlines: Outlines;
  drawing: Drawing;
  selecting: Selecting;
  selection: Selection;
  selected: SelectedCommands;
  ui: Ui;
  notify: Notify;
  /** The system clipboard. */
  clipboard: SystemClipboard;
}

const title = () => t`Paste`;

/**
 * Copies, cuts, pastes and duplicates annotations. The system clipboard holds them as a COCO document, so that they can
 * be pasted on another image, in another tab and into other programs.
 */
export class Clipboard {
  constructor(private readonly parts: ClipboardParts) {}

  copy(): void {
    const { drawing, selecting } = this.parts;
    const remembered = selecting.remember();
    drawing.after(() => void this.write(this.copied(remembered()), copiedText));
  }

  /** Copies the selected annotations that are not locked, then deletes them, unless the browser refuses to copy. */
  cut(): void {
    const { drawing, selecting, selected, ui } = this.parts;
    const remembered = selecting.remember();
    drawing.after(() => {
      const annotations = remembered();
      const changeable = selecting.changeableOf(annotations);
      if (annotations.length > 0 && changeable.length === 0) {
        ui.showMessage(lockedText());
        return;
      }
      const copied = this.copied(changeable);
      const textOf = (count: number) => withLocked(cutText(count), annotations.length - changeable.length);
      void this.write(copied, textOf).then((isWritten) => isWritten && selected.remove(copied, t`Cut`));
    });
  }

  /** Pastes the content of the system clipboard, if the browser lets the page read it. */
  async pasteFromSystem(): Promise<void> {
    const isDisturbed = watchLaterWork(this.parts);
    const text = await this.parts.clipboard.read();
    if (text !== null) this.paste(text, isDisturbed);
    else this.parts.notify("info", title(), t`The browser does not let this page read the clipboard. Press Ctrl+V.`);
  }

  /**
   * Pastes annotations at their original positions, or beside identical ones that are already there, as one undo step.
   * Selects them, unless `isDisturbed` returns true: the user has gone on to something else since the command.
   */
  paste(text: string, isDisturbed = watchLaterWork(this.parts)): void {
    const { document, drawing, notify } = this.parts;
    const pasted = readCocoText(text, document.state.categories);
    if (!pasted) {
      notify("info", title(), t`There are no annotations on the clipboard. Select some and press Ctrl+C first.`);
      return;
    }
    drawing.after(() => {
      const { image, annotations: present } = document.state;
      const placed = placedFreely(pasted.annotations, image, present.values());
      const seen = placed.filter((annotation) => isOnImage(annotation, image));
      const leftOut = new Map(pasted.leftOut);
      if (seen.length < placed.length) leftOut.set(t`outside this image`, placed.length - seen.length);
      this.add(seen, t`Paste`, isDisturbed());
      this.report(seen.length, leftOut);
    });
  }

  /**
   * Copies the selected annotations beside the originals as one undo step, without the clipboard. Selects the copies,
   * unless the user has gone on to something else meanwhile.
   */
  duplicate(): void {
    const { document, drawing, outlines, selecting } = this.parts;
    const remembered = selecting.remember();
    const isDisturbed = watchLaterWork(this.parts);
    drawing.after(() => {
      const copies = this.copied(remembered()).map((annotation) => copyOf(annotation, outlines.of(annotation)));
      if (copies.length === 0) return;
      this.add(placedBeside(copies, document.state.image), t`Duplicate`, isDisturbed());
      this.parts.ui.showMessage(
        plural(copies.length, { one: "# annotation duplicated", other: "# annotations duplicated" }),
      );
    });
  }

  /** Returns those of the annotations that have a shape or keypoints. Shows a message if there are none. */
  private copied(annotations: readonly Annotation[]): Annotation[] {
    const { outlines, ui } = this.parts;
    const isTraced = (annotation: Annotation) =>
      outlines.of(annotation).length > 0 || (annotation.keypoints?.length ?? 0) > 0;
    const copied = annotations.filter(isTraced);
    if (annotations.length === 0) ui.showMessage(t`No annotation is selected`);
    else if (copied.length === 0) ui.showMessage(t`The selected annotations are empty`);
    return copied;
  }

  /** Writes annotations to the clipboard. Resolves with false if there are none or the browser refuses. */
  private async write(annotations: readonly Annotation[], textOf: (count: number) => string): Promise<boolean> {
    const { document, outlines, clipboard, ui, notify } = this.parts;
    if (annotations.length === 0) return false;
    const { image, categories } = document.state;
    const text = cocoText(annotations, { image, categories, ringsOf: (annotation) => outlines.of(annotation) });
    const isWritten = await clipboard.write(text);
    if (isWritten) ui.showMessage(textOf(annotations.length));
    else notify("error", t`Copy`, t`The browser does not let this page write to the clipboard.`);
    return isWritten;
  }

  private add(annotations: readonly PastedAnnotation[], action: string, keepsSelection: boolean): void {
    const uuids = addAnnotations(this.parts, { action, annotations });
    if (uuids.length > 0 && !keepsSelection) this.parts.selecting.select(uuids);
  }

  private report(count: number, leftOut: ReadonlyMap<string, number>): void {
    const { ui, notify } = this.parts;
    const reasons = [...leftOut].map(([reason, number]) =>
      plural(number, { one: `# annotation left out: ${reason}.`, other: `# annotations left out: ${reason}.` }),
    );
    if (reasons.length === 0)
      ui.showMessage(plural(count, { one: "# annotation pasted", other: "# annotations pasted" }));
    else {
      const pasted = plural(count, { one: "# annotation pasted.", other: "# annotations pasted." });
      notify("info", title(), [pasted, ...reasons].join("\n"));
    }
  }
}

const copiedText = (count: number) => plural(count, { one: "# annotation copied", other: "# annotations copied" });
const cutText = (count: number) => plural(count, { one: "# annotation cut", other: "# annotations cut" });
