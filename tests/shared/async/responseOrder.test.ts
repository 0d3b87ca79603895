import { expect, it } from "vitest";
import { ResponseOrder } from "../../../shared/async/responseOrder";

it("accepts responses in the order of their requests, and rejects a response that arrives after a newer one", () => {
  const order = new ResponseOrder();
  const [first, second, third] = [order.ask(), order.ask(), order.ask()];
  expect(first()).toBe(true);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
  expect(order.ask()()).toBe(true);
  expect(third()).toBe(false);
});

it("accepts a response that arrives in parts", () => {
  const take = new ResponseOrder().ask();
  expect([take(), take()]).toEqual([true, true]);
});
