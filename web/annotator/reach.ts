import { createStore } from "zustand/vanilla";
import { RequestError } from "../io/request";

/** Why the open picture cannot be had: it is in the bin, the person may not see it any more, or must log in again. */
type Loss = "deleted" | "hidden" | "signedOut";

/** Whether the open picture can still be had, as the answers to the calls about it show. */
export class Reach {
  readonly store = createStore<{ loss: Loss | null }>(() => ({ loss: null }));
  /** The person is deleting the picture: that it is gone is no news. */
  isLeaving = false;
  /** Counts the answers: an older one says nothing any more. */
  private answers = 0;

  /** `seesDataset`: whether the person sees the picture's dataset; rejects where that cannot be known. */
  constructor(private readonly seesDataset: () => Promise<boolean>) {}

  /** The call's own result, of which this takes note. */
  watch<T>(call: Promise<T>): Promise<T> {
    call.then(
      () => this.note(null),
      (error: unknown) => void this.explain(error),
    );
    return call;
  }

  private note(loss: Loss | null): void {
    this.answers += 1;
    if (this.store.getState().loss !== loss) this.store.setState({ loss });
  }

  /** The server says alike what is deleted and what may not be seen. A proxy's 404 says nothing. */
  private async explain(error: unknown): Promise<void> {
    if (!(error instanceof RequestError)) return;
    if (error.status === 401) this.note("signedOut");
    if (error.status !== 404 || error.message !== ABSENT || this.isLeaving) return;
    const answer = ++this.answers;
    const isSeen = await this.seesDataset().catch(() => undefined);
    if (isSeen !== undefined && answer === this.answers) this.note(isSeen ? "deleted" : "hidden");
  }
}

/** What the server says of a picture that is not there. */
const ABSENT = "Invalid image id";
