import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import type { AnnotationEdit, Change, EditAnswer } from "../../../../shared/edits/edit";
import { describeOnBothDatabases } from "../../../support/databases";
import { type LiveServer, startLiveServer } from "../../../support/liveServer";
import { TestClient } from "../../../support/testClient";
import { greyPng } from "./png";

const KILLS = 3;
const TABS = 3;

/** A tab that sends batch after batch, and repeats a batch without a response unchanged. */
class SendingTab {
  readonly client = `tab-${randomUUID()}`;
  /** Last acknowledged token and revision of each annotation. */
  readonly ledger = new Map<string, { token: string; revision: number }>();
  unanswered = 0;

  constructor(
    readonly http: TestClient,
    readonly imageId: number,
    readonly categoryId: number,
  ) {}

  async run(until: () => boolean): Promise<void> {
    while (!until()) {
      await this.deliver(this.nextBatch());
      await wait(10);
    }
  }

  private nextBatch(): AnnotationEdit[] {
    const known = [...this.ledger.keys()];
    const made = this.edit("create", randomUUID(), 0);
    const old = known[Math.floor(Math.random() * known.length)];
    return [
      made,
      this.edit("modify", made.target, 0),
      ...(old ? [this.edit("modify", old, this.revisionOf(old))] : []),
    ];
  }

  private revisionOf = (target: string) => this.ledger.get(target)?.revision ?? 0;

  private edit(action: "create" | "modify", target: string, base: number): AnnotationEdit {
    const after = { metadata: { token: randomUUID() }, ...(action === "create" && { category_id: this.categoryId }) };
    return {
      uuid: randomUUID(),
      image_id: this.imageId,
      base,
      subject: "annotation",
      target,
      action,
      before: {},
      after,
    };
  }

  private async deliver(edits: AnnotationEdit[]): Promise<void> {
    for (;;) {
      const answer = await this.http.post("annotator/edits", { client: this.client, edits }).catch(() => undefined);
      if (answer?.status === 200) return this.write(edits, answer.body.answers);
      this.unanswered++;
      await wait(20);
    }
  }

  private write(edits: AnnotationEdit[], answers: EditAnswer[]): void {
    for (const [i, edit] of edits.entries()) {
      const answer = answers[i];
      if (answer?.status !== "applied" && answer?.status !== "seen") throw new Error(JSON.stringify(answer));
      this.ledger.set(edit.target, { token: String(edit.after.metadata?.token), revision: answer.revision ?? 0 });
    }
  }
}

describeOnBothDatabases("a server that is killed while it saves", (open, kind) => {
  let server: LiveServer | undefined;
  afterAll(() => server?.remove());

  test("loses nothing that it acknowledged and stores nothing twice", async () => {
    const { url } = await open();
    server = await startLiveServer(kind === "server" && url ? { DATABASE_URL: url } : {});
    const http = new TestClient(server.url);
    await http.post("user/register", { username: "ada", password: "a long secret" });
    const dataset = (await http.post("dataset/?name=kill", { categories: ["thing"] })).body;
    const form = new FormData();
    form.set("dataset_id", String(dataset.id));
    form.set("image", new Blob([await greyPng(64, 48)]), "a.png");
    const imageId: number = (await http.request("POST", "image/", { body: form })).body;
    const scene = async (): Promise<AnnotatorScene> => (await http.get(`annotator/data/${imageId}?shape=rings`)).body;
    const categoryId = (await scene()).categories[0]?.id ?? 0;

    let over = false;
    const tabs = Array.from({ length: TABS }, () => new SendingTab(http, imageId, categoryId));
    const sending = Promise.all(tabs.map((tab) => tab.run(() => over)));
    for (let kill = 0; kill < KILLS; kill++) {
      await wait(200 + Math.random() * 100);
      await server.kill();
      await server.start();
    }
    over = true;
    await sending;

    expect(tabs.reduce((sum, tab) => sum + tab.unanswered, 0)).toBeGreaterThan(0);
    const { image, categories } = await scene();
    const stored = categories.flatMap((category) => category.annotations);
    const expected = tabs.flatMap((tab) => [...tab.ledger].map(([uuid, entry]) => ({ uuid, ...entry })));
    const byUuid = (a: { uuid: string }, b: { uuid: string }) => (a.uuid < b.uuid ? -1 : 1);
    expect(
      stored.map(({ uuid, metadata, revision }) => ({ uuid, token: metadata.token, revision })).sort(byUuid),
    ).toEqual(expected.sort(byUuid));
    expect(image.revision).toBe(1 + stored.reduce((sum, annotation) => sum + annotation.revision, 0));

    const changes: Change[] = [];
    for (let since = 1; since < image.revision; ) {
      const answer = (await http.get(`annotator/edits/${imageId}?since=${since}`)).body;
      expect(answer.reload).toBe(false);
      changes.push(...answer.changes);
      since = answer.revision;
    }
    expect(changes.map((change) => change.image_revision)).toEqual(changes.map((_, i) => i + 2));
    expect(new Set(changes.map((change) => change.edit)).size).toBe(changes.length);
  });
});
