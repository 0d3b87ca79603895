import { setTimeout as wait } from "node:timers/promises";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { EditAnswer, EditBatch } from "../../../../shared/edits/edit";
import { editCountFor, ServerUpdates } from "../../../../web/annotator/sync/serverUpdates";
import type { CatchUpResponse } from "../../../../web/sync/catchUp";
import { Sync } from "../../../../web/sync/push/sync";
import type { TestUser } from "../../../support/server";
import type { TestResponse } from "../../../support/testClient";
import { TestEditor } from "../testEditor";

/** Share of calls that fail on a bad line: half do not reach the server, the others are stored unheard. */
const FAULTS = 0.25;
/** Longest delay on the way to the server and on the way back, in milliseconds. */
const DELAY_MS = 60;

/** The line between a page and the server: seeded delays and faults, so that responses are late and overtake others. */
export class Line {
  isBad = true;

  constructor(private readonly random: () => number) {}

  /** Makes a call. Throws an error with a status as web/io does, 0 if the response was cut off. */
  async call(request: () => Promise<TestResponse>): Promise<unknown> {
    const fault = this.isBad && this.random() < FAULTS;
    const isStored = this.random() < 0.5;
    await this.delay();
    if (fault && !isStored) throw failure(503);
    const { status, body } = await request();
    await this.delay();
    if (fault) throw failure(0);
    if (status >= 300) throw Object.assign(failure(status), { code: body.code });
    return body;
  }

  async delay(): Promise<void> {
    if (this.isBad) await wait(this.random() * DELAY_MS);
  }
}

const failure = (status: number) => Object.assign(new Error(`Status ${status}.`), { status });

interface Open {
  user: TestUser;
  imageId: number;
  /** Identifies the browser's journal. */
  journal: string;
  line: Line;
  /** Called when the server has stored edits of this page. */
  onStored: () => void;
}

/** An open image with the real journal and the real calls to a server, without a page. */
export class OnlineAnnotator {
  private constructor(
    private readonly sync: Sync,
    readonly updates: ServerUpdates,
    readonly test: TestEditor,
    private readonly wakeUp: () => void,
    private readonly closed: AbortController,
  ) {}

  /** Opens the image as `openImage` does. Tries until the line lets it through. */
  static async open({ user, imageId, journal, line, onStored }: Open): Promise<OnlineAnnotator> {
    const closed = new AbortController();
    const send = async (batch: EditBatch) => {
      const { answers } = (await line.call(async () => {
        const response = await user.post("annotator/edits", batch);
        if (batch.edits.length > 0 && response.status < 300) onStored();
        return response;
      })) as { answers: EditAnswer[] };
      // The response of a closed page reaches nobody.
      if (closed.signal.aborted) await new Promise(() => {});
      return { answers };
    };
    const sync = new Sync(journal, send);
    const wakes = new Set<() => void>();
    const onFocus = (listener: () => void) => {
      wakes.add(listener);
      return () => wakes.delete(listener);
    };
    const load = (pendingCount: number) => {
      const query = `shape=rings&edits=${editCountFor(pendingCount) ?? 0}`;
      return line.call(() => user.get(`annotator/data/${imageId}?${query}`)) as Promise<AnnotatorScene>;
    };
    const changesSince = (revision: number) =>
      line.call(() =>
        user.get(`annotator/edits/${imageId}?since=${revision}&comments=true`),
      ) as Promise<CatchUpResponse>;
    const updates = new ServerUpdates(imageId, sync, { load, changesSince }, { onFocus, onReconnect: () => () => {} });
    const pending = await sync.pendingOf(imageId);
    let scene: AnnotatorScene | undefined;
    while (!scene) scene = await load(pending.length).catch(() => undefined);
    const { reload, catchUp } = updates;
    const parts = { sink: sync, reload, catchUp, username: user.username };
    const test = new TestEditor(scene, pending, undefined, undefined, undefined, undefined, parts);
    updates.begin(test.editor.document);
    const wakeUp = () => {
      for (const wake of wakes) wake();
      void sync.flush();
    };
    wakeUp();
    return new OnlineAnnotator(sync, updates, test, wakeUp, closed);
  }

  /** Looks for news and sends what is left, as when the page gains focus. */
  wake(): void {
    this.wakeUp();
  }

  get isSaved(): boolean {
    const { pending, writing, phase } = this.sync.state.getState();
    return pending === 0 && writing === 0 && phase === "idle";
  }

  get conflicts() {
    return this.sync.state.getState().conflicts;
  }

  /** Leaves the image. Resolves when everything drawn is in the journal. */
  async close(): Promise<void> {
    const { editor } = this.test;
    this.updates.close();
    editor.leave();
    await editor.settled();
    editor.close();
    while (this.sync.state.getState().writing > 0) await wait(5);
    this.closed.abort();
    this.sync.close();
  }
}
