import { t } from "@lingui/core/macro";
import { segmentWithDextr } from "../../../shared/api/model";
import { SerialQueue } from "../../../shared/async/serialQueue";
import { limitedSignal } from "../../../shared/async/signals";
import type { Rings } from "../../../shared/entities/shape";
import { abortable } from "../http/abortable";
import { newest } from "../http/newest";
import { request } from "../http/request";
import type { DextrImage, DextrRequest, DextrResult } from "./dextr";
import type { DextrRuntime } from "./dextrRuntime";

/**
 * Time limit of a request, in milliseconds. Allows for four outlines of other users before ours, each up to the
 * server's limit.
 */
const PATIENCE_MS = 120_000;
/** Time limit passed to `request`. Longer than `PATIENCE_MS`, so that the message of this file is shown. */
const RESPONSE_MS = 2 * PATIENCE_MS;

/**
 * The DEXTR network on the server. Every outline is a request, even another threshold of the same points. Sends one
 * request at a time, because the server replaces a waiting request of the same user with a newer one.
 */
export class DextrServer implements DextrRuntime {
  readonly name = "server";
  private readonly turns = new SerialQueue();

  async open(): Promise<string> {
    return t`Runs on the server`;
  }

  async predict(image: DextrImage, asked: DextrRequest, signal: AbortSignal): Promise<DextrResult> {
    const rings = await this.segment(image, asked, signal);
    const outline = newest((threshold: number) => this.segment(image, { ...asked, threshold }));
    return { rings, runtime: this.name, outline };
  }

  measure = async (): Promise<number> => Number.POSITIVE_INFINITY;
  preload = async (): Promise<void> => undefined;
  release = (): void => undefined;
  stop = (): void => undefined;

  private segment(image: DextrImage, asked: DextrRequest, signal = NEVER): Promise<Rings> {
    const turn = this.turns.add(async () => {
      signal.throwIfAborted();
      const limit = limitedSignal(signal, PATIENCE_MS);
      try {
        return await this.ask(image, asked, limit.signal);
      } catch (error) {
        throw limit.signal.aborted && !signal.aborted ? new Error(t`The server did not respond in time.`) : error;
      } finally {
        limit.stop();
      }
    });
    return abortable(signal, turn);
  }

  private async ask({ id }: DextrImage, asked: DextrRequest, signal: AbortSignal): Promise<Rings> {
    const { isBox, padding, threshold } = asked;
    const [points, more] = [pairs(asked.points), pairs(asked.more)];
    const [added, removed] = [pairs(asked.added), pairs(asked.removed)];
    const body = { points, isbbox: isBox ?? false, more, added, removed, padding, threshold };
    const options = { signal, patienceMs: RESPONSE_MS };
    return (await request(segmentWithDextr, { params: { imageId: id }, body }, options)).rings;
  }
}

const pairs = (list: DextrRequest["added"] = []) => list.map(([x, y]): [number, number] => [x, y]);

const NEVER = new AbortController().signal;
