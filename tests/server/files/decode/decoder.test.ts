import { expect, test } from "vitest";
import { workFor } from "../../../../server/base/requester";
import { decoding } from "../../../../server/files/decode/decoder";

test("a user's image does not wait for all images that another user has requested before", async () => {
  const order: string[] = [];
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const decode = (name: string, user: string) =>
    workFor(user, () =>
      decoding(async () => {
        order.push(name);
        await held;
      }),
    );
  const images = ["a1", "a2", "a3", "a4", "a5", "a6"].map((name) => decode(name, "ann"));
  images.push(decode("b1", "bob"));
  finish();
  await Promise.all(images);
  expect(order).toEqual(["a1", "a2", "a3", "a4", "b1", "a5", "a6"]);
});

test("only a limited number of one user's images may wait", async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const decode = (user: string) => workFor(user, () => decoding(() => held));
  const images = Array.from({ length: 503 }, () => decode("ann"));
  await expect(decode("ann")).rejects.toMatchObject({ status: 429 });
  images.push(decode("bob"));
  finish();
  await Promise.all(images);
});
