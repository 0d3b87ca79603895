import { beforeEach, expect, it, vi } from "vitest";
import { RequestError } from "../../../../shared/api/protocol/requestError";
import { Availability } from "../../../../web/annotator/sync/availability";
import { eventually } from "../../../support/eventually";

let seesDataset: () => Promise<boolean>;
let availability: Availability;
beforeEach(() => {
  seesDataset = async () => true;
  availability = new Availability(() => seesDataset());
});

const loss = () => availability.store.getState().loss;
const fails = (status: number, message: string) =>
  availability.watch(Promise.reject(new RequestError(status, "", message))).catch(() => undefined);
const isGone = () => availability.watch(Promise.reject(absent())).catch(() => undefined);
const absent = () => new RequestError(404, "", "Invalid image id", undefined, null, "image_not_found");

it("distinguishes a deleted image from lost access, until it is available again", async () => {
  await isGone();
  await eventually(() => expect(loss()).toBe("deleted"));
  await availability.watch(Promise.resolve());
  expect(loss()).toBeNull();
  seesDataset = async () => false;
  await isGone();
  await eventually(() => expect(loss()).toBe("hidden"));
});

it("reports that the session has ended", async () => {
  await fails(401, "Authorization required");
  expect(loss()).toBe("signedOut");
});

it("reports nothing if the server could not be reached, if a proxy responded, or if the user deletes the image", async () => {
  const requested = vi.fn(async () => true);
  seesDataset = requested;
  await fails(0, "The server cannot be reached.");
  await fails(502, "Bad gateway");
  await fails(404, "The server responded with status 404.");
  availability.isLeaving = true;
  await isGone();
  expect(requested).not.toHaveBeenCalled();
  expect(loss()).toBeNull();
});

it("reports nothing if the image was available again before the reason was known", async () => {
  let answer = (_: boolean): void => undefined;
  seesDataset = () => new Promise((resolve) => (answer = resolve));
  await isGone();
  await availability.watch(Promise.resolve());
  answer(true);
  await Promise.resolve();
  expect(loss()).toBeNull();
});

it("reports nothing if an older request completes after a newer one", async () => {
  let fail = (_: Error): void => undefined;
  const late = availability.watch(new Promise((_, reject) => (fail = reject))).catch(() => undefined);
  await availability.watch(Promise.resolve());
  fail(absent());
  await late;
  await Promise.resolve();
  await Promise.resolve();
  expect(loss()).toBeNull();
});
