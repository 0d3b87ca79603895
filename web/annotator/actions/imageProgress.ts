import { t } from "@lingui/core/macro";
import { serverText } from "../../components/messages/serverTexts";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { ImageList, Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import type { Command } from "../keyboard/shortcuts";
import type { Ui } from "../state/ui";

interface ProgressParts {
  document: AnnotatorDocument;
  commands: Commands;
  drawing: Drawing;
  list: ImageList;
  ui: Ui;
  notify: Notify;
  goTo: (imageId: number) => void;
}

/** Opens other images of the list context, and marks the image as done. */
export class ImageProgress {
  constructor(private readonly parts: ProgressParts) {}

  /** Marks the image as done, or removes the mark, as one undo step. */
  toggleDone(): void {
    const { document, ui } = this.parts;
    this.markDone(!document.state.image.done);
    ui.showMessage(document.state.image.done ? t`Marked as done` : t`No longer marked as done`);
  }

  /** Marks the image as done, after drawings that are still being computed, and opens the next one. */
  doneAndNext(): void {
    const { document, drawing, goTo, ui } = this.parts;
    drawing.after(() => {
      this.markDone(true);
      const { next } = document.state.image;
      if (next === null) ui.showMessage(t`Marked as done. This is the last image of the list`);
      else goTo(next);
    });
  }

  /** Opens the image with this number in the list, counted from 1. */
  async goToNumber(number: number): Promise<void> {
    const { list, document, notify, goTo, ui } = this.parts;
    try {
      const [image] = await list.read(number - 1, 1);
      if (!image) ui.showMessage(t`The list has no image ${number}`);
      else if (image.id !== document.state.image.id) goTo(image.id);
    } catch (error) {
      notify(
        "error",
        t`Loading Images`,
        error instanceof Error ? serverText(error.message) : t`The list could not be loaded.`,
      );
    }
  }

  private markDone(done: boolean): void {
    const { commands } = this.parts;
    commands.changeImage({ done }, { name: t`Image`, action: done ? t`Mark as Done` : t`Unmark as Done` });
  }
}

/** Commands that mark the image as done, or open an image by its number in the list. */
export function progressCommands(progress: ImageProgress, ui: Ui): Command[] {
  const group = "General";
  return [
    {
      id: "done next",
      name: t`Done and Next Image`,
      group,
      keys: [["control", "enter"]],
      run: () => progress.doneAndNext(),
    },
    { id: "done", name: t`Mark or Unmark as Done`, group, keys: [["shift", "d"]], run: () => progress.toggleDone() },
    { id: "go to", name: t`Go to Image Number`, group, keys: [["shift", "i"]], run: () => ui.askForNumber(true) },
  ];
}
