import { expect, it } from "vitest";
import { ResponseOrder } from "../../../shared/async/responseOrder";

it("takes answers in the order of their questions, and none that a newer one has overtaken", () => {
  const order = new ResponseOrder();
  const [first, second, third] = [order.ask(), order.ask(), order.ask()];
  expect(first()).toBe(true);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
  expect(order.ask()()).toBe(true);
  expect(third()).toBe(false);
});

it("takes an answer that comes in parts", () => {
  const take = new ResponseOrder().ask();
  expect([take(), take()]).toEqual([true, true]);
});
