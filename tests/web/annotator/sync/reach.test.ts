import { beforeEach, expect, it, vi } from "vitest";
import { RequestError } from "../../../../shared/api/protocol/requestError";
import { Reach } from "../../../../web/annotator/sync/reach";

let seesDataset: () => Promise<boolean>;
let reach: Reach;
beforeEach(() => {
  seesDataset = async () => true;
  reach = new Reach(() => seesDataset());
});

const loss = () => reach.store.getState().loss;
const fails = (status: number, message: string) =>
  reach.watch(Promise.reject(new RequestError(status, "", message))).catch(() => undefined);
const isGone = () => reach.watch(Promise.reject(absent())).catch(() => undefined);
const absent = () => new RequestError(404, "", "Invalid image id", undefined, null, "image_not_found");

it("tells a deleted image from one that may not be seen any more, until it is there again", async () => {
  await isGone();
  await vi.waitFor(() => expect(loss()).toBe("deleted"));
  await reach.watch(Promise.resolve());
  expect(loss()).toBeNull();
  seesDataset = async () => false;
  await isGone();
  await vi.waitFor(() => expect(loss()).toBe("hidden"));
});

it("says that the session has ended", async () => {
  await fails(401, "Authorization required");
  expect(loss()).toBe("signedOut");
});

it("says nothing where the server was away, where a proxy answered, or where the person deletes it", async () => {
  const asked = vi.fn(async () => true);
  seesDataset = asked;
  await fails(0, "The server cannot be reached.");
  await fails(502, "Bad gateway");
  await fails(404, "The server responded with status 404.");
  reach.isLeaving = true;
  await isGone();
  expect(asked).not.toHaveBeenCalled();
  expect(loss()).toBeNull();
});

it("says nothing where it was there again before it was known why it was gone", async () => {
  let answer = (_: boolean): void => undefined;
  seesDataset = () => new Promise((resolve) => (answer = resolve));
  await isGone();
  await reach.watch(Promise.resolve());
  answer(true);
  await Promise.resolve();
  expect(loss()).toBeNull();
});

it("says nothing where an older question is answered after a newer one", async () => {
  let fail = (_: Error): void => undefined;
  const late = reach.watch(new Promise((_, reject) => (fail = reject))).catch(() => undefined);
  await reach.watch(Promise.resolve());
  fail(absent());
  await late;
  await Promise.resolve();
  await Promise.resolve();
  expect(loss()).toBeNull();
});
