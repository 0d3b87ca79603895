import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { AnnotationEdit, EditAnswer, EditBatch } from "../../../../shared/edits/edit";
import { MemoryJournal } from "../../../../web/sync/push/memoryJournal";
import { push } from "../../../../web/sync/push/push";
import { eventually } from "../../../support/eventually";

/** A server whose responses the test sends. */
class Server {
  readonly waiting: { edits: AnnotationEdit[]; respond: () => void; fail: (status: number) => void }[] = [];
  readonly stored: string[] = [];
  private readonly answers: EditAnswer[][] = [];

  readonly send = (batch: EditBatch) =>
    new Promise<{ answers: EditAnswer[] }>((resolve, reject) => {
      const edits = batch.edits as AnnotationEdit[];
      const respond = () => resolve({ answers: edits.map((edit) => this.store(edit)) });
      const fail = (status: number) => reject(Object.assign(new Error("no"), { status }));
      this.waiting.push({ edits, respond, fail });
    });

  readonly keepAnswers = (_: unknown, answers: readonly EditAnswer[]) => void this.answers.push([...answers]);

  get answered(): string[] {
    return this.answers.flat().map(({ uuid, status }) => `${uuid} ${status}`);
  }

  private store({ uuid, base }: AnnotationEdit): EditAnswer {
    if (this.stored.includes(uuid)) return { uuid, status: "seen", revision: base + 1 };
    this.stored.push(uuid);
    return { uuid, status: "applied", revision: base + 1 };
  }
}

function edits(count: number, target: () => string = randomUUID): AnnotationEdit[] {
  const rest = { image_id: 3, base: 1, subject: "annotation", action: "modify", before: {} } as const;
  return Array.from({ length: count }, () => ({ ...rest, uuid: randomUUID(), target: target(), after: {} }));
}

function queueOf(made: readonly AnnotationEdit[]): MemoryJournal {
  const queue = new MemoryJournal();
  queue.add(made.map((edit) => ({ uuid: edit.uuid, client: "one-client", image_id: 3, edit, saw: 0 })));
  return queue;
}

it("sends the next batch while one is on its way, two at a time, and reports the outcomes in order", async () => {
  const server = new Server();
  const made = edits(1300);
  const pushed = push(queueOf(made), server.send, server.keepAnswers);
  await eventually(() => expect(server.waiting).toHaveLength(2));
  server.waiting[1]?.respond();
  server.waiting[0]?.respond();
  await eventually(() => expect(server.waiting).toHaveLength(3));
  server.waiting[2]?.respond();
  expect(await pushed).toBeUndefined();
  expect(server.waiting.flatMap((each) => each.edits)).toEqual(made);
  expect(server.answered).toEqual(made.map(({ uuid }) => `${uuid} applied`));
});

it("waits for a batch on which the next one builds, and bases the next one on the new revision", async () => {
  const server = new Server();
  const made = edits(500);
  const [first] = made;
  const later = edits(1, () => first?.target ?? "");
  const pushed = push(queueOf([...made, ...later]), server.send, server.keepAnswers);
  await eventually(() => expect(server.waiting).toHaveLength(1));
  server.waiting[0]?.respond();
  await eventually(() => expect(server.waiting).toHaveLength(2));
  expect(server.waiting[1]?.edits).toEqual([{ ...later[0], base: 2 }]);
  server.waiting[1]?.respond();
  expect(await pushed).toBeUndefined();
});

it("loses and repeats nothing when the first of two batches fails and the second is stored", async () => {
  const server = new Server();
  const made = edits(800);
  const queue = queueOf(made);
  const failed = push(queue, server.send, server.keepAnswers);
  await eventually(() => expect(server.waiting).toHaveLength(2));
  server.waiting[0]?.fail(0);
  server.waiting[1]?.respond();
  expect(await failed).toBe("offline");
  expect(queue.pending()).toHaveLength(800);
  const again = push(queue, server.send, server.keepAnswers);
  await eventually(() => expect(server.waiting).toHaveLength(4));
  for (const each of server.waiting.slice(2)) each.respond();
  expect(await again).toBeUndefined();
  expect(queue.pending()).toEqual([]);
  expect(server.stored.toSorted()).toEqual(made.map(({ uuid }) => uuid).toSorted());
  const statuses = made.map(({ uuid }, i) => `${uuid} ${i < 500 ? "applied" : "seen"}`);
  expect(server.answered).toEqual(statuses);
});

it("sends a batch that is too large in smaller parts, and then the batch that had been sent ahead", async () => {
  const server = new Server();
  const made = edits(600);
  const queue = queueOf(made);
  const pushed = push(queue, server.send, server.keepAnswers);
  await eventually(() => expect(server.waiting).toHaveLength(2));
  server.waiting[0]?.fail(413);
  server.waiting[1]?.respond();
  for (let next = 2; next < 5 && queue.pending().length > 0; next++) {
    await eventually(() => expect(server.waiting.length > next || queue.pending().length === 0).toBe(true));
    server.waiting[next]?.respond();
  }
  expect(await pushed).toBeUndefined();
  expect(server.waiting[2]?.edits).toHaveLength(250);
  expect(server.stored).toHaveLength(600);
});
