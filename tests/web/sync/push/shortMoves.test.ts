import { expect, test } from "vitest";
import type { AnnotationEdit, EditAnswer } from "../../../../shared/edits/edit";
import { withShortMoves } from "../../../../web/sync/push/shortMoves";
import { uuidOf } from "../../annotator/testEditor";

const move = (number: number): AnnotationEdit => ({
  ...{ uuid: uuidOf(number), image_id: 1, base: 2, subject: "annotation", target: uuidOf(9), action: "modify" },
  ...{ before: { rings: [[[1, 1, 2, 1, 2, 2]]] }, after: { rings: [[[4, 1, 5, 1, 5, 2]]] } },
});
const recolour: AnnotationEdit = { ...move(3), before: { color: "#ff0000" }, after: { color: "#00ff00" } };

/** A server that answers edits whose text fits `refused` with a refusal. */
function makeServer(refused: RegExp) {
  const batches: string[] = [];
  const send = async (edits: readonly unknown[]) => {
    batches.push(JSON.stringify(edits));
    const answers = (edits as AnnotationEdit[]).map(
      (edit): EditAnswer => ({
        uuid: edit.uuid,
        status: refused.test(JSON.stringify(edit)) ? "refused" : "applied",
      }),
    );
    return { answers };
  };
  return { batches, send: withShortMoves(send) };
}

test("moves are sent as a distance without the shape, and once", async () => {
  const { batches, send } = makeServer(/never/);
  const { answers } = await send([move(1), recolour]);
  expect(batches).toHaveLength(1);
  expect(batches[0]).toContain('"moved":[3,0]');
  expect(batches[0]).not.toContain("[1,1,2,1,2,2]");
  expect(answers.map(({ status }) => status)).toEqual(["applied", "applied"]);
});

test("a server that refuses distances receives the edits in full", async () => {
  const { batches, send } = makeServer(/moved/);
  const { answers } = await send([move(1), recolour]);
  expect(batches[1]).toBe(JSON.stringify([move(1), recolour]));
  expect(answers.map(({ status }) => status)).toEqual(["applied", "applied"]);
});

test("edits are not sent again in full if only an edit that is no move is refused", async () => {
  const { batches, send } = makeServer(/color/);
  const { answers } = await send([move(1), recolour]);
  expect(batches).toHaveLength(1);
  expect(answers.map(({ status }) => status)).toEqual(["applied", "refused"]);
});
