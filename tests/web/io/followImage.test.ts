import { afterEach, expect, it, vi } from "vitest";
import { followImage } from "../../../web/io/followImage";

/** The live connection: `entered` of the last announcement is what the server would call. */
const live = vi.hoisted(() => {
  const listeners = new Map<string, (...given: unknown[]) => void>();
  return {
    connected: true,
    listeners,
    entered: undefined as (() => void) | undefined,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
    off: (event: string) => void listeners.delete(event),
    emit(_: string, __: object, entered?: () => void) {
      this.entered = entered;
    },
  };
});
vi.mock("../../../web/io/socket", () => ({ socket: () => live }));

afterEach(() => {
  live.entered = undefined;
});

it("says when the server has let the tab in, after each connection, and nothing once it is left", () => {
  let entered = 0;
  const leave = followImage(7, { onChange: () => {}, onEntered: () => void entered++, onPeople: () => {} });
  expect(entered).toBe(0);
  live.entered?.();
  expect(entered).toBe(1);
  live.listeners.get("connect")?.();
  live.entered?.();
  expect(entered).toBe(2);
  const late = live.entered;
  leave();
  late?.();
  expect(entered).toBe(2);
});
