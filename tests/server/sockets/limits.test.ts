import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { warnSeldom } from "../../../server/base/log";
import { FairGate } from "../../../server/sockets/limits/fairGate";
import { Handshakes } from "../../../server/sockets/limits/handshakes";
import { Penalties } from "../../../server/sockets/limits/penalties";
import { TokenBuckets } from "../../../server/sockets/limits/tokenBuckets";
import { Unadmitted } from "../../../server/sockets/limits/unadmitted";
import { Batches } from "../../../server/sockets/presence/batches";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a bucket allows its burst, then what refills over time, for each key", () => {
  const buckets = new TokenBuckets<string>({ burst: 10, perSecond: 5 });
  const taken = (key: string) => Array.from({ length: 20 }, () => buckets.take(key)).filter(Boolean).length;
  expect(taken("ann")).toBe(10);
  expect(taken("bob")).toBe(10);
  vi.advanceTimersByTime(1_000);
  expect(taken("ann")).toBe(5);
  vi.advanceTimersByTime(60_000);
  expect(buckets.take("ann", 11)).toBe(false);
  expect(taken("ann")).toBe(10);
});

test("tokens taken in advance return the time to wait", () => {
  const buckets = new TokenBuckets<string>({ burst: 1, perSecond: 10 });
  expect([1, 2, 3].map(() => buckets.reserve("ann"))).toEqual([0, 100, 200]);
});

test("a gate admits users in turns, and a limited number at a time", async () => {
  const gate = new FairGate<string>(1);
  const order: string[] = [];
  const work = (user: string) => gate.run(user, async () => void order.push(user));
  await Promise.all([...["ann", "ann", "ann", "ann"].map(work), work("bob")]);
  expect(order).toEqual(["ann", "ann", "bob", "ann", "ann"]);
  await expect(gate.run("ann", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  await expect(gate.run("ann", async () => 7)).resolves.toBe(7);
});

test("a user who floods again is locked out twice as long, up to a minute, and starts over after ten quiet minutes", () => {
  const penalties = new Penalties();
  const seconds: number[] = [];
  for (let i = 0; i < 6; i++) {
    seconds.push(penalties.punish("ann"));
    expect(penalties.punish("ann")).toBe(seconds.at(-1));
    vi.advanceTimersByTime(60_000);
  }
  expect(seconds).toEqual([5, 10, 20, 40, 60, 60]);
  expect(penalties.secondsLeft("ann")).toBe(0);
  vi.advanceTimersByTime(700_000);
  expect(penalties.punish("ann")).toBe(5);
});

test("handshakes with invalid cookies are refused without a query, but not valid ones, nor pages without one", () => {
  const handshakes = new Handshakes();
  const cookie = (name: string) => ({ cookie: `limn_session=${name}` });
  expect(handshakes.attempt(cookie("right"), "1.1.1.1")).toBe(true);
  handshakes.succeeded(cookie("right"));
  const requested = Array.from({ length: 1_000 }, (_, i) => {
    handshakes.failed({}, "1.1.1.1");
    if (!handshakes.attempt(cookie(`wrong ${i}`), "1.1.1.1")) return 0;
    handshakes.failed(cookie(`wrong ${i}`), "1.1.1.1");
    return 1;
  });
  expect(requested.filter(Boolean)).toHaveLength(200);
  expect(handshakes.attempt(cookie("right"), "1.1.1.1")).toBe(true);
  expect(handshakes.attempt({}, "1.1.1.1")).toBe(true);
  expect(handshakes.attempt(cookie("new"), "2.2.2.2")).toBe(true);
  expect(handshakes.attempt(cookie("new"), "1.1.1.1")).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(handshakes.attempt(cookie("new"), "1.1.1.1")).toBe(true);
});

test("one cookie connects two hundred times, and then five times a second", () => {
  const handshakes = new Handshakes();
  const cookie = { cookie: "limn_session=right" };
  const admitted = () => Array.from({ length: 1_000 }, () => handshakes.attempt(cookie, "1.1.1.1")).filter(Boolean);
  expect(admitted()).toHaveLength(200);
  vi.advanceTimersByTime(1_000);
  expect(admitted()).toHaveLength(5);
});

test("a warning that occurs thousands of times is logged at once, and then once a minute with its count", () => {
  const logged: object[] = [];
  const warn = warnSeldom(60_000, (details, message) => void logged.push({ ...details, message }));
  for (let i = 0; i < 1_000; i++) warn({ i }, "away");
  expect(logged).toEqual([{ i: 0, message: "away" }]);
  vi.advanceTimersByTime(60_000);
  expect(logged.slice(1)).toEqual([{ i: 999, times: 999, message: "away" }]);
  vi.advanceTimersByTime(600_000);
  expect(logged).toHaveLength(2);
  warn({ i: 1_000 }, "away");
  expect(logged).toHaveLength(3);
});

test("the first batch is sent at once, the rest after the requested wait, including what arrives during a send", async () => {
  let sent = 0;
  const batches = new Batches(async () => {
    sent += 1;
    if (sent === 2) batches.sendSoon();
    return 250;
  });
  for (let i = 0; i < 100; i++) batches.sendSoon();
  await vi.advanceTimersByTimeAsync(20);
  expect(sent).toBe(1);
  batches.sendSoon();
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toBe(1);
  await vi.advanceTimersByTimeAsync(50);
  expect(sent).toBe(2);
  await vi.advanceTimersByTimeAsync(260);
  expect(sent).toBe(3);
  batches.stop();
  batches.sendSoon();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toBe(3);
});

class Connection extends EventEmitter {
  readyState = "open";
  close() {
    this.readyState = "closed";
    this.emit("close");
  }
}

test("connections that ask for nothing, or were refused, are closed after ten seconds; those that wait are not", () => {
  const unadmitted = new Unadmitted();
  const [silent, waiting, early, refused] = [new Connection(), new Connection(), new Connection(), new Connection()];
  unadmitted.ask(early);
  for (const conn of [silent, waiting, early, refused]) unadmitted.watch(conn);
  vi.advanceTimersByTime(9_000);
  unadmitted.ask(waiting);
  unadmitted.ask(refused);
  unadmitted.refused(refused);
  const states = () => [silent, waiting, early, refused].map(({ readyState }) => readyState);
  vi.advanceTimersByTime(9_000);
  expect(states()).toEqual(["closed", "open", "open", "open"]);
  unadmitted.ask(refused);
  vi.advanceTimersByTime(1_000);
  expect(states()).toEqual(["closed", "open", "open", "closed"]);
  unadmitted.refused(silent);
  expect(vi.getTimerCount()).toBe(0);
});
