import { t } from "@lingui/core/macro";
import { subjectOf } from "../../../shared/edits/subject";
import { serverText } from "../../languages/serverText";
import {
  type Choice,
  type Conflict,
  isOfMissingImage,
  mayHideEdits,
  type SyncState,
} from "../../sync/journal/syncState";
import { storageText } from "../../sync/storageText";
import type { EditSink, Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";

export interface SavingParts {
  /** The open image. */
  imageId: number;
  drawing: Drawing;
  sink: EditSink;
  notify: Notify;
  /** Loads the image's data again. */
  reload: () => Promise<void>;
}

/** Messages shown when a save cannot reach the server. */
const notSent = (): Partial<Record<SyncState["status"], string>> => ({
  "saved here": t`Your work is saved in this browser and will be sent as soon as possible.`,
  offline: t`The server cannot be reached. Your work is saved in this browser and will be sent later.`,
  failing: t`The server returns errors. Your work is saved in this browser and will be sent again.`,
  "for review": t`The server's data was restored or replaced. Your work is saved in this browser for review.`,
  "signed out": t`Your work is saved in this browser and will be sent when you log in again.`,
});

const stillMissing = () =>
  t`The image is still in the trash, or you no longer have access to it. Your work is saved in this browser.`;

/** Sends changes to the server at once, and resolves those that it refused. */
export class Saving {
  constructor(private readonly parts: SavingParts) {}

  async save(): Promise<void> {
    const { sink, notify, drawing } = this.parts;
    await drawing.settled();
    await sink.flush();
    const state = sink.state.getState();
    const { status } = state;
    const why = notSent()[status];
    if (mayHideEdits(state)) notify("error", t`Storage does not respond`, storageText());
    if (why) notify("info", t`Saved here`, why);
    if (status === "not kept")
      notify("error", t`Not saved`, t`This browser cannot save your work. Keep this tab open until the server has it.`);
  }

  /** Resolves conflicts, then reloads the image. Notifies the user if the server refuses the same changes again. */
  async resolve(conflicts: readonly Conflict[], choice: Choice): Promise<void> {
    const { sink, reload, notify, imageId } = this.parts;
    await sink.resolve(conflicts, choice);
    await sink.flush();
    const subjects = new Set(conflicts.map(({ edit }) => subjectOf(edit)));
    const again = sink.state.getState().conflicts.find(({ edit }) => subjects.has(subjectOf(edit)));
    // The open image reports refusals itself.
    const isReported = again?.isRefused && again.edit.image_id === imageId;
    if (again && !isReported)
      notify("info", t`Not stored`, isOfMissingImage([again]) ? stillMissing() : serverText(again.reason));
    await reload();
  }
}
