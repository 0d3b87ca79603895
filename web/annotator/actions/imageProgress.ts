import { t } from "@lingui/core/macro";
import type { ImageEdit } from "../../../shared/edits/edit";
import { stageTakenBack } from "../../../shared/rules/stages";
import { isInField } from "../../components/isTyping";
import { getReach } from "../../io/http/reachability";
import { serverText } from "../../languages/serverText";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { ImageList, ImageQueue, Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import type { Ui } from "../state/ui";

interface ProgressParts {
  document: AnnotatorDocument;
  commands: Commands;
  history: History;
  drawing: Drawing;
  list: ImageList;
  /** The queue that the image came from, if it did. */
  queue: ImageQueue | undefined;
  /** Sends pending edits to the server, if it can be reached. */
  flush: () => Promise<void>;
  ui: Ui;
  notify: Notify;
  goTo: (imageId: number) => void;
}

/**
 * Longest time without the server, in milliseconds, after which the next image is opened. Later it is only offered: the
 * user may look at the open image by then.
 */
const OPENS_WITHIN_MS = 30_000;

const noneHere = (done: string): string =>
  t`${{ done }}. No other image in this browser is assigned to you. The next one is requested when the server is back`;

/** A change of the image's stage: what it sends, the name of its undo step, and the message about it. */
interface StageStep {
  after: Pick<ImageEdit["after"], "done" | "stage">;
  action: string;
  message: string;
}

/** `plain`: the dataset asks for no review. `annotator`: the user submits. `reviewer`: the user accepts and returns. */
export type ReviewRole = "plain" | "annotator" | "reviewer";

/** Opens other images of the list context, and moves the image to its next stage. */
export class ImageProgress {
  /** Number of requests for an image by its number; only the newest may open one. */
  private numbersAsked = 0;
  /** Stops waiting for the server with a request for the next image. */
  private stopWaiting = () => {};
  private isClosed = false;

  constructor(private readonly parts: ProgressParts) {}

  get role(): ReviewRole {
    const { dataset, permissions } = this.parts.document.state;
    if (!dataset.review) return "plain";
    return permissions.dataset.review ? "reviewer" : "annotator";
  }

  /** Marks the image as done, submits or accepts it, or takes that back, as one undo step. */
  toggleDone(): void {
    const { done, stage } = this.parts.document.state.image;
    if (this.role === "annotator" && stage === "accepted")
      this.parts.ui.showMessage(t`This image is accepted. Only reviewers can reopen it`);
    else if (this.role === "reviewer") this.move(stage === "accepted" ? this.reopen() : this.finish());
    else this.move(done ? this.takeBack() : this.finish());
  }

  /**
   * Marks the image as done, submits or accepts it, after drawings that are still being computed, and opens the next:
   * of the queue if the image came from there, else of the list.
   */
  doneAndNext(): void {
    const { queue, drawing } = this.parts;
    if (queue) drawing.after(() => void this.openNextOf(queue, this.change(this.finish()).message));
    else this.moveAndGo(() => this.finish());
  }

  /** True if the image came from the queue, so that it can be skipped. */
  get isQueued(): boolean {
    return this.parts.queue !== undefined;
  }

  /** Gives the image back to the queue as it is, and opens the next one that was not skipped. */
  skip(): void {
    const { queue, drawing, document } = this.parts;
    if (!queue) return;
    const { image, dataset } = document.state;
    drawing.after(() => {
      queue.skip(dataset.id, image.id);
      void this.openNextOf(queue, t`Skipped`);
    });
  }

  /** Returns the image to its annotators, and opens the next one. */
  returnAndNext(): void {
    this.moveAndGo(() => this.giveBack());
  }

  /**
   * Opens the image with this number in the list, counted from 1; only offers it if the user has worked on while it was
   * requested. The response is ignored once the user has asked for another number.
   */
  async goToNumber(number: number): Promise<void> {
    const { list, document, notify, ui } = this.parts;
    this.numbersAsked += 1;
    const own = this.numbersAsked;
    const isIdle = this.watchWork();
    try {
      const [image] = await list.read(number - 1, 1);
      if (own !== this.numbersAsked) return;
      // Without the server, the list has only the images in this browser.
      if (!image && getReach() === "away")
        ui.showMessage(t`This image is not in this browser. Open it when the server is back.`);
      else if (!image) ui.showMessage(t`The list has no image ${number}`);
      else if (image.id !== document.state.image.id)
        this.openOrOffer(image.id, isIdle(), t`Go to Image Number`, t`Image ${number} is ready.`);
    } catch (error) {
      if (own !== this.numbersAsked) return;
      notify(
        "error",
        t`Loading Images`,
        error instanceof Error ? serverText(error.message) : t`The list could not be loaded.`,
      );
    }
  }

  /** Ends the wait for the server: the image is left. */
  close(): void {
    this.isClosed = true;
    this.stopWaiting();
  }

  /**
   * Opens the next image of the queue; only offers it if the user has worked on while it was requested. `done`: message
   * about the image before.
   */
  private async openNextOf(queue: ImageQueue, done: string, isIdle = this.watchWork()): Promise<void> {
    const { document, notify, ui } = this.parts;
    this.stopWaiting();
    const next = await this.ask(queue, [document.state.image.id]);
    if (!next) return;
    if (next.imageId !== null) return this.openOrOfferNext(next.imageId, isIdle());
    if (next.isAway) this.openWhenReachable(queue, done, isIdle);
    if (next.hasSkipped)
      notify(
        "info",
        t`Only skipped images are left`,
        t`${{ done }}. You have skipped all other images that are left for you.`,
        {
          label: t`Go on with them`,
          endsWithImage: true,
          onClick: () => void this.openSkipped(queue),
        },
      );
    else if (next.isAway) ui.showMessage(noneHere(done));
    else ui.showMessage(t`${{ done }}. Nothing is left for you in this dataset`);
  }

  /** Requests the next image of the queue when the server can be reached again. */
  private openWhenReachable(queue: ImageQueue, done: string, isIdle: () => boolean): void {
    const from = performance.now();
    const isSoon = () => performance.now() - from < OPENS_WITHIN_MS;
    const open = () => void this.openNextOf(queue, done, () => isSoon() && isIdle());
    this.stopWaiting();
    if (!this.isClosed) this.stopWaiting = queue.onceReachable(open);
  }

  /** Opens the first of the skipped images, which may be the open one. */
  private async openSkipped(queue: ImageQueue): Promise<void> {
    const { document, ui } = this.parts;
    const { image, dataset } = document.state;
    this.stopWaiting();
    queue.forgetSkipped(dataset.id);
    const isIdle = this.watchWork();
    const next = await this.ask(queue, []);
    if (!next) return;
    if (next.imageId === null && next.isAway) {
      ui.showMessage(noneHere(t`Skipped`));
      this.openWhenReachable(queue, t`Skipped`, isIdle);
    } else if (next.imageId === null) ui.showMessage(t`Nothing is left for you in this dataset`);
    else if (next.imageId === image.id) ui.showMessage(t`This is the first of the skipped images`);
    else this.openOrOfferNext(next.imageId, isIdle());
  }

  private openOrOfferNext(imageId: number, isIdle: boolean): void {
    this.openOrOffer(imageId, isIdle, t`Next Image`, t`Your next image is ready.`);
  }

  private openOrOffer(imageId: number, isIdle: boolean, title: string, message: string): void {
    const { goTo, notify } = this.parts;
    const open = () => goTo(imageId);
    if (isIdle) open();
    else notify("info", title, message, { label: t`Open it`, endsWithImage: true, onClick: open });
  }

  /**
   * Returns a function that returns true if the user has changed and undone nothing since, and is at no dialog, field
   * or drawing begun since. An outline that was unfinished before is kept as a sketch when the image is left.
   */
  private watchWork(): () => boolean {
    const { history, ui } = this.parts;
    const { newest } = history;
    const { isDrawing: wasDrawing } = ui.store.getState();
    return () => {
      const { dialog, picker, isDrawing, isAskingForNumber } = ui.store.getState();
      const hasBegun = isDrawing && !wasDrawing;
      return history.newest === newest && !dialog && !picker && !hasBegun && !isAskingForNumber && !isInField();
    };
  }

  /** Returns the next image of the queue; undefined after an error, which the user has seen. */
  private async ask(
    queue: ImageQueue,
    except: readonly number[],
  ): Promise<Awaited<ReturnType<ImageQueue["next"]>> | undefined> {
    const { document, flush, notify } = this.parts;
    try {
      // The server does not give an image again that it knows to be done.
      await flush();
      return await queue.next(document.state.dataset.id, except);
    } catch (error) {
      notify(
        "error",
        t`Next Image`,
        error instanceof Error ? serverText(error.message) : t`The next image could not be requested.`,
      );
      return undefined;
    }
  }

  private moveAndGo(step: () => StageStep): void {
    const { document, drawing, goTo, ui } = this.parts;
    drawing.after(() => {
      const { message } = this.change(step());
      const { next } = document.state.image;
      if (next === null) ui.showMessage(t`${{ done: message }}. This is the last image of the list`);
      else goTo(next);
    });
  }

  private move(step: StageStep): void {
    this.parts.ui.showMessage(this.change(step).message);
  }

  private change(step: StageStep): StageStep {
    const { commands, document } = this.parts;
    // An accepted image stays accepted if an annotator goes through the list again.
    const isKept = this.role === "annotator" && document.state.image.stage === "accepted";
    if (isKept) return { ...step, message: t`Accepted` };
    commands.changeImage(step.after, { name: t`Image`, action: step.action });
    return step;
  }

  private finish(): StageStep {
    const steps: Record<ReviewRole, StageStep> = {
      plain: { after: { done: true }, action: t`Mark as Done`, message: t`Marked as done` },
      annotator: { after: { stage: "to_review" }, action: t`Submit`, message: t`Submitted for review` },
      reviewer: { after: { stage: "accepted" }, action: t`Accept`, message: t`Accepted` },
    };
    return steps[this.role];
  }

  private takeBack(): StageStep {
    if (this.role === "plain")
      return { after: { done: false }, action: t`Unmark as Done`, message: t`No longer marked as done` };
    const stage = stageTakenBack(this.parts.document.state.image);
    return { after: { stage }, action: t`Take Back`, message: t`No longer submitted` };
  }

  private reopen(): StageStep {
    return { after: { stage: "to_review" }, action: t`Reopen`, message: t`No longer accepted` };
  }

  private giveBack(): StageStep {
    return {
      after: { stage: "returned" },
      action: t({ message: "Return", context: "verb" }),
      message: t`Returned to its annotators`,
    };
  }
}
