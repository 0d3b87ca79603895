import { expect, it } from "vitest";
import type { DextrCall } from "../../../server/onnx/dextr";
import { patientDextr } from "../../../server/onnx/patientDextr";

const call = {} as Pick<DextrCall, "job" | "read">;

/** A network that finds nothing, with the calls that it got. */
function recorded() {
  const calls: DextrCall[] = [];
  const outline = async (asked: DextrCall) => {
    calls.push(asked);
    return { rings: [], pieces: [] };
  };
  return { calls, outline };
}

it("does not run the network while it is held, and stops waiting if the task is cancelled", async () => {
  const { calls, outline } = recorded();
  const cancel = new AbortController();
  const held = patientDextr({ outline }, -1, cancel.signal, () => {
    queueMicrotask(() => cancel.abort());
    return true;
  });
  await expect(held(call)).rejects.toThrow();
  expect(calls).toEqual([]);
});

it("runs the network at once if it is not held", async () => {
  const { calls, outline } = recorded();
  expect(await patientDextr({ outline }, -7, new AbortController().signal)(call)).toEqual([]);
  expect(calls.map(({ userId }) => userId)).toEqual([-7]);
});
