import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { getWork } from "../../../../shared/api/work";
import type { Edit } from "../../../../shared/edits/edit";
import type { Comment } from "../../../../shared/entities/comment";
import { type AnsweringCopies, answersOf } from "../../../../web/offline/answers/answersOf";
import { Copies } from "../../../../web/offline/download/userCopies";
import { Journal } from "../../../../web/sync/journal/journal";
import { eventually } from "../../../support/eventually";
import { FakeServer } from "../fakeServer";

/** A user's work as a copy answers it, while the server is away. */
let server: FakeServer;
let copies: Copies;
let journal: Journal;
let answers: ReturnType<typeof answersOf> | undefined;

beforeEach(() => {
  server = new FakeServer();
  server.add(1, 2, 3, 4);
  for (const id of [1, 2, 3]) server.image(id).manifest.assignee = "bob";
  Object.assign(server.dataset, { owner: "ada", users: ["bob"], review: true });
  copies = new Copies(`copy ${randomUUID()}`, "bob", server.ports);
  journal = new Journal(`journal ${randomUUID()}`);
});
afterEach(async () => {
  answers?.close();
  answers = undefined;
  await copies.wipe();
});

async function work(username = "bob") {
  await copies.choose(1, { form: "original", ids: null });
  await eventually(async () => expect((await copies.store.datasets.get(1))?.state).toBe("complete"));
  answers = answersOf(copies as AnsweringCopies, journal, username);
  return answers.find(getWork, {});
}

const submitting = (image_id: number): Edit =>
  ({
    ...{ uuid: randomUUID(), base: 0, image_id, subject: "image", action: "modify" },
    ...{ before: { stage: "open" }, after: { stage: "to_review" } },
  }) as Edit;

it("counts the images of the user by stage, with pending edits, and those that wait for a review", async () => {
  server.image(4).manifest.stage = "to_review";
  server.image(4).manifest.done = true;
  server.image(2).manifest.annotated = true;
  const edit = submitting(3);
  await journal.add([{ uuid: edit.uuid, client: "tab", image_id: 3, edit, saw: 0 }]);
  expect(await work()).toEqual({
    is_team: true,
    datasets: [
      { id: 1, name: "dataset 1", mine: { new: 1, annotating: 1, returned: 0, to_review: 1, accepted: 0 }, waiting: 2 },
    ],
    returned: [],
    accepted: [],
  });
});

it("lists returned images with the first comments of open threads", async () => {
  server.image(2).manifest.stage = "returned";
  const comment = { uuid: "u", creator: "ada", text: "The roof", thread: null, resolved: false, deleted: false };
  const others = [{ resolved: true }, { thread: "u" }, { deleted: true }].map((part) => ({ ...comment, ...part }));
  server.comments.set(2, [comment, ...others] as Comment[]);
  expect(await work()).toMatchObject({
    datasets: [{ mine: { new: 2, returned: 1 } }],
    returned: [{ id: 2, dataset_id: 1, comments: [{ uuid: "u", creator: "ada", text: "The roof" }] }],
  });
});

it("answers nothing to users who do not work in a dataset that is available offline", async () => {
  expect(await work("admin")).toBeUndefined();
});

it("answers nothing to the owner of a dataset that is not shared", async () => {
  Object.assign(server.dataset, { users: [] });
  expect(await work("ada")).toBeUndefined();
});
