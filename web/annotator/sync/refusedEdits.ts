import { t } from "@lingui/core/macro";
import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import { serverText } from "../../languages/serverText";
import { isRefusal } from "../../sync/push/settle";
import type { EditSink, Notify } from "../document/ports";

/** Edits of the open image that the server refuses, for example because their category was deleted. */
export class RefusedEdits {
  private readonly annotations = new Set<string>();
  /** Reasons about which the user will be notified. */
  private readonly reasons = new Set<string>();
  /** Stops the notifications. */
  readonly stop: () => void;

  constructor(
    private readonly imageId: number,
    sink: Pick<EditSink, "onAnswer">,
    private readonly notify: Notify,
  ) {
    this.stop = sink.onAnswer((edit, answer) => this.receive(edit, answer));
  }

  /** Returns true for an annotation of which an edit was refused, and none stored since. */
  readonly has = (uuid: string): boolean => this.annotations.has(uuid);

  private receive(edit: Edit, answer: EditAnswer): void {
    if (edit.image_id !== this.imageId) return;
    const isRefused = isRefusal(answer);
    const isStored = answer.status === "applied" || answer.status === "seen";
    if (edit.subject === "annotation" && isRefused) this.annotations.add(edit.target);
    if (edit.subject === "annotation" && isStored) this.annotations.delete(edit.target);
    if (!isRefused || !answer.reason) return;
    // Responses arrive by the hundred, and most have the same reason.
    if (this.reasons.size === 0) queueMicrotask(() => this.show());
    this.reasons.add(answer.reason);
  }

  private show(): void {
    const reasons = [...this.reasons].map(serverText).join("\n");
    this.reasons.clear();
    this.notify("error", t`Not stored`, t`${reasons} Your change is kept among the conflicts.`);
  }
}
