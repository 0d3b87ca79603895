import { createStore } from "zustand/vanilla";
import { ResponseOrder } from "../../../shared/async/responseOrder";
import { RequestError } from "../../io/http/request";

/** Reason why the open image is unavailable: it is in the trash, hidden from the user, or the session has ended. */
type Loss = "deleted" | "hidden" | "signedOut";

/** Availability of the open image, derived from the responses to calls about it. */
export class Availability {
  readonly store = createStore<{ loss: Loss | null }>(() => ({ loss: null }));
  /** True while the user deletes the image, so that its absence is not reported. */
  isLeaving = false;
  private readonly order = new ResponseOrder();

  /**
   * `seesDataset`: resolves with true if the user may see the image's dataset; rejects if the server cannot be reached.
   */
  constructor(private readonly seesDataset: () => Promise<boolean>) {}

  /** Updates the availability from a call's response. Returns the same promise. */
  watch<T>(call: Promise<T>): Promise<T> {
    const isNewest = this.order.ask();
    call.then(
      () => isNewest() && this.setLoss(null),
      (error: unknown) => void this.explain(error, isNewest),
    );
    return call;
  }

  private setLoss(loss: Loss | null): void {
    if (this.store.getState().loss !== loss) this.store.setState({ loss });
  }

  /**
   * Finds the reason for an error. The server's response is the same for a deleted image and one that the user has no
   * access to, so asks for the dataset.
   */
  private async explain(error: unknown, isNewest: () => boolean): Promise<void> {
    if (!(error instanceof RequestError)) return;
    if (error.status === 401 && isNewest()) this.setLoss("signedOut");
    if (error.code !== "image_not_found" || this.isLeaving) return;
    if (!isNewest()) return;
    const isSeen = await this.seesDataset().catch(() => undefined);
    if (isSeen !== undefined && isNewest()) this.setLoss(isSeen ? "deleted" : "hidden");
  }
}
