import { expect, it } from "vitest";
import { newest } from "../../../../web/io/http/newest";

/** Returns a computation that ends on request. */
function slow() {
  const begun: { asked: number; finish: () => void; fail: () => void }[] = [];
  const ask = newest(
    (asked: number) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ asked, finish: () => resolve(`answer ${asked}`), fail: () => reject(new Error("failed")) });
      }),
  );
  return { ask, begun, asked: () => begun.map(({ asked }) => asked) };
}

it("runs one computation at a time, and of the waiting ones only the newest", async () => {
  const { ask, begun, asked } = slow();
  const answers = [1, 2, 3, 4].map(ask);
  expect(asked()).toEqual([1]);
  expect(await Promise.all(answers.slice(1, 3))).toEqual([null, null]);
  begun[0]!.finish();
  expect(await answers[0]).toBe("answer 1");
  expect(asked()).toEqual([1, 4]);
  begun[1]!.finish();
  expect(await answers[3]).toBe("answer 4");
});

it("continues with the newest after a failure, which rejects only the failing call", async () => {
  const { ask, begun, asked } = slow();
  const [first, second] = [ask(1), ask(2)];
  begun[0]!.fail();
  await expect(first).rejects.toThrow("failed");
  expect(asked()).toEqual([1, 2]);
  begun[1]!.finish();
  expect(await second).toBe("answer 2");
});
