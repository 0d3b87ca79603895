import { createStore } from "zustand/vanilla";
import { ResponseOrder } from "../../../shared/async/responseOrder";
import { RequestError } from "../../io/http/request";

/**
 * The reason why the open image is out of availability: it is in the trash, the user may not see it any more, or must
 * log in again.
 */
type Loss = "deleted" | "hidden" | "signedOut";

/** Availability of the open image, as the responses to calls about it show. */
export class Availability {
  readonly store = createStore<{ loss: Loss | null }>(() => ({ loss: null }));
  /** The person is deleting the image: that it is gone is no news. */
  isLeaving = false;
  private readonly order = new ResponseOrder();

  /** `seesDataset`: whether the person sees the image's dataset; rejects where that cannot be known. */
  constructor(private readonly seesDataset: () => Promise<boolean>) {}

  /** The call's own result, of which this takes note. */
  watch<T>(call: Promise<T>): Promise<T> {
    const isNewest = this.order.ask();
    call.then(
      () => isNewest() && this.note(null),
      (error: unknown) => void this.explain(error, isNewest),
    );
    return call;
  }

  private note(loss: Loss | null): void {
    if (this.store.getState().loss !== loss) this.store.setState({ loss });
  }

  /** The server's response is the same for an image that is deleted and one that the user may not see. */
  private async explain(error: unknown, isNewest: () => boolean): Promise<void> {
    if (!(error instanceof RequestError)) return;
    if (error.status === 401 && isNewest()) this.note("signedOut");
    if (error.code !== "image_not_found" || this.isLeaving) return;
    if (!isNewest()) return;
    const isSeen = await this.seesDataset().catch(() => undefined);
    if (isSeen !== undefined && isNewest()) this.note(isSeen ? "deleted" : "hidden");
  }
}
