import { expect, it } from "vitest";
import { outcomeOf, refusedStorage } from "../../../web/offline/download/outcome";

const { signal } = new AbortController();
const refusal = new DOMException("Error preparing Blob/File data to be stored in object store", "UnknownError");

it("an update ends with a message where the browser stores no files, as in Safari's private windows", () => {
  expect(outcomeOf(refusal, signal)).toEqual({ kind: "failed", problem: refusedStorage() });
  const wrapped = Object.assign(new Error("1 of 2 operations failed"), { failures: [refusal] });
  expect(outcomeOf(wrapped, signal)).toEqual({ kind: "failed", problem: refusedStorage() });
});
