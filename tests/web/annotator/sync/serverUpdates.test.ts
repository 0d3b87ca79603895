import { beforeEach, expect, test } from "vitest";
import type { Change, Edit, EditAnswer } from "../../../../shared/edits/edit";
import { creation, modification } from "../../../../shared/edits/make";
import { AnnotatorDocument } from "../../../../web/annotator/document/document";
import { ServerUpdates } from "../../../../web/annotator/sync/serverUpdates";
import { eventually } from "../../../support/eventually";
import { annotationOf, sceneOf, uuidOf } from "../testEditor";

const IMAGE = 7;
const NEVER = { onFocus: () => () => {}, onReconnect: () => () => {} };

let document: AnnotatorDocument;
/** Revisions after which changes were requested. */
let requested: number[];
/** Changes that the server has stored since the image was opened. */
let changes: Change[];
let respond: (edit: Edit, answer: EditAnswer) => void;

beforeEach(() => {
  document = new AnnotatorDocument(sceneOf([annotationOf(1)]), "ada");
  [requested, changes] = [[], []];
  const updates = new ServerUpdates(
    IMAGE,
    {
      onAnswer: (listener) => {
        respond = listener;
        return () => {};
      },
    },
    {
      load: async () => sceneOf([annotationOf(1)]),
      changesSince: async (since) => {
        requested.push(since);
        return { revision: since + changes.length, reload: false, changes };
      },
    },
    NEVER,
  );
  updates.begin(document);
});

const stored = ({ uuid }: Edit): EditAnswer => ({ uuid, status: "applied", revision: 0, image_revision: 4 });

test("an image shows an edit that another part of the page has made of it since it was opened", async () => {
  const rings = [[[0, 0, 9, 0, 9, 9]]];
  const edit = creation(uuidOf(20), IMAGE, uuidOf(9), { category_id: 2, rings });
  changes = [
    {
      ...{ image_revision: 4, subject: "annotation", subject_id: uuidOf(9), revision: 0, action: "create" },
      ...{ fields: { ...annotationOf(9), rings }, edit: edit.uuid, client: "this-client", user: "ada" },
    },
  ];
  respond(edit, stored(edit));
  await eventually(() => expect(document.annotation(uuidOf(9))).toMatchObject({ rings }));
});

test("responses to edits of the open image, and of other images, request no changes", () => {
  const own = modification(uuidOf(20), annotationOf(1), { category_id: 2 });
  if (!own) throw new Error("The edit changes nothing.");
  document.apply([own], "local");
  respond(own, stored(own));
  const other = creation(uuidOf(21), IMAGE + 1, uuidOf(9), { category_id: 2 });
  respond(other, stored(other));
  expect(requested).toEqual([]);
});
