import type { AnnotatorScene } from "../../../shared/api/annotator";
import { MAX_SCENE_EDITS } from "../../../shared/constants";
import type { EditAnswer } from "../../../shared/edits/edit";
import { CatchUp, type CatchUpResponse, type Occasions } from "../../sync/catchUp";
import { Reload } from "../../sync/reload";
import type { AnnotatorDocument } from "../document/document";
import type { EditSink } from "../document/ports";

/**
 * Returns the number of edits to ask a scene for, so that a page with pending edits applies none that it includes. Other
 * users' edits may lie between them. Undefined if no edits are pending.
 */
export const editCountFor = (pendingCount: number): number | undefined =>
  pendingCount > 0 ? Math.min(MAX_SCENE_EDITS, 2 * pendingCount + 100) : undefined;

interface Calls {
  /** Requests the image's current scene, for a page with this number of pending edits. */
  load: (pendingCount: number) => Promise<AnnotatorScene>;
  /** Requests the image's changes after a revision. */
  changesSince: (revision: number) => Promise<CatchUpResponse>;
}

/**
 * Keeps the document of an open image as the server has it, with the pending edits on top: fetches the changes of other
 * users, and reloads the image where changes are not enough. Begins to listen when it is created, before the image's
 * pending edits and its scene are read, so that no response in between is missed.
 */
export class ServerUpdates {
  /** Responses that arrived before `begin`. */
  private readonly early: EditAnswer[] = [];
  /** The document, from `begin` on. */
  private document: AnnotatorDocument | undefined;
  private catchingUp: CatchUp | undefined;
  private reloading: Reload<AnnotatorScene> | undefined;
  private readonly stopListening: () => void;

  constructor(
    imageId: number,
    sink: Pick<EditSink, "onAnswer">,
    private readonly calls: Calls,
    private readonly occasions: Occasions,
  ) {
    this.stopListening = sink.onAnswer((edit, answer) => edit.image_id === imageId && this.receive(answer));
  }

  /** Keeps `document` up to date from now on. It was created from the scene and the pending edits. */
  begin(document: AnnotatorDocument): void {
    this.document = document;
    const { load, changesSince } = this.calls;
    this.reloading = new Reload({
      load: () => load(document.pendingCount),
      expect: () => document.expectReplacement(),
      replace: (scene) => document.replace(scene),
      giveUp: () => document.stopExpectingReplacement(),
      after: this.catchUp,
    });
    this.catchingUp = new CatchUp(
      {
        request: changesSince,
        revision: () => document.state.image.revision,
        apply: (changes, revision) => {
          if (!document.applyRemote(changes, revision)) void this.reload();
        },
        reload: () => void this.reload(),
      },
      this.occasions,
    );
    // The document may have been created with edits on top that the server has not stored, or has stored long ago.
    const state = document.acknowledge(this.early);
    if (state === "outdated" || this.early.some(isRejection)) void this.reload();
  }

  /** Fetches the changes of other users. */
  readonly catchUp = (): void => void this.catchingUp?.now();

  /** Loads the image again. Resolves when it is loaded, or could not be loaded. */
  readonly reload = async (): Promise<void> => this.reloading?.now();

  close(): void {
    this.stopListening();
    this.catchingUp?.close();
    this.reloading?.close();
  }

  /**
   * The document shows a rejected edit until it is replaced: this must happen before the user draws on it. It lacks an
   * edit that another part of the page has made since the image was opened, such as the undo of a propagation.
   */
  private receive(answer: EditAnswer): void {
    if (!this.document) this.early.push(answer);
    else if (isRejection(answer)) void this.reload();
    else if (!this.document.isPending(answer.uuid)) this.catchUp();
  }
}

const isRejection = ({ status }: EditAnswer): boolean => status === "conflict" || status === "refused";
