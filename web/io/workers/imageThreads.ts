import { unpackRings } from "../../../shared/geometry/packed";
import type { WorkerFunctions } from "../../../workers";
import { rememberedRegions } from "./regions";
import type { Scissors } from "./scissors";
import { LatestWand, type Wand } from "./wand";
import { WorkerThread } from "./workerThread";

/** A worker that holds the pixels of one image, and the number of tools that use it. */
interface ImageThread {
  thread: WorkerThread<WorkerFunctions>;
  users: number;
  /** Called when the worker has ended and its data is lost. */
  onStop: (() => void)[];
}

/** Tools that work on an image's pixels. Tools on one image share a worker, which ends when the last of them closes. */
export class ImageThreads {
  private readonly threads = new Map<string, ImageThread>();

  wand(address: string): Wand {
    const image = this.enter(address);
    const { thread } = image;
    let isNew = true;
    image.onStop.push(() => {
      isNew = true;
    });
    const grow = rememberedRegions({
      grow: (gesture, { x, y, options }) => thread.call((to) => to.growWand(address, gesture, x, y, options)),
      isNewWorker: () => {
        const wasNew = isNew;
        isNew = false;
        return wasNew;
      },
    });
    return new LatestWand(
      async (gesture, x, y, options) => {
        const outline = await grow(gesture, { x, y, options });
        return outline && unpackRings(outline);
      },
      () => this.leave(address),
      () => void thread.call((to) => to.prepareWand(address)).catch(() => undefined),
    );
  }

  scissors(address: string): Scissors {
    const { thread } = this.enter(address);
    return {
      follow: (...line) => thread.callTwice((worker) => worker.followBorder(address, ...line)),
      prepare: () => void thread.call((worker) => worker.prepareScissors(address)).catch(() => undefined),
      close: () => this.leave(address),
    };
  }

  close(): void {
    for (const { thread } of this.threads.values()) thread.close();
    this.threads.clear();
  }

  private enter(address: string): ImageThread {
    const found = this.threads.get(address) ?? this.start();
    found.users++;
    this.threads.set(address, found);
    return found;
  }

  private leave(address: string): void {
    const found = this.threads.get(address);
    if (!found || --found.users > 0) return;
    found.thread.close();
    this.threads.delete(address);
  }

  private start(): ImageThread {
    const image: ImageThread = {
      thread: new WorkerThread<WorkerFunctions>(
        () => new Worker(new URL("../../../workers/index.ts", import.meta.url), { type: "module", name: "wand" }),
        {
          onStop: () => {
            for (const notify of image.onStop) notify();
          },
        },
      ),
      users: 0,
      onStop: [],
    };
    return image;
  }
}
