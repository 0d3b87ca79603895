// @vitest-environment jsdom
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { getReach, noteResponse } from "../../../../web/io/http/reachability";
import { connect, getConnection } from "../../../../web/io/live/connection";
import { eventually } from "../../../support/eventually";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

const live = vi.hoisted(() => {
  const listeners = new Map<string, (given?: unknown) => void>();
  return {
    /** True while socket.io itself tries to connect again. */
    active: true,
    listeners,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
    connect: () => undefined,
    disconnect: () => undefined,
  };
});
vi.mock("../../../../web/io/live/socket", () => ({ socket: () => live }));

const receive = (event: string, given?: unknown) => live.listeners.get(event)?.(given);

/** Responds to health checks; throws if the server cannot be reached. */
const respond = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal("fetch", respond);
  respond.mockReset().mockImplementation(async () => Response.json({}));
  connect();
  receive("connect");
});
afterEach(() => {
  noteResponse();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("notices that the server is away although it still answered when the live connection ended", async () => {
  receive("disconnect", "transport close");
  await eventually(() => expect(respond).toHaveResolved());
  expect([getReach(), getConnection()]).toEqual(["reachable", "disconnected"]);
  respond.mockRejectedValue(new TypeError("Failed to fetch"));
  receive("connect_error", new Error("websocket error"));
  await eventually(() => expect(getReach()).toBe("away"));
});

it("stays reachable if the server responds, but no live connection can be opened", async () => {
  receive("disconnect", "transport close");
  receive("connect_error", new Error("websocket error"));
  await eventually(() => expect(respond).toHaveResolvedTimes(2));
  expect([getReach(), getConnection()]).toEqual(["reachable", "disconnected"]);
});

it("sends no check when the server itself refuses the connection", () => {
  vi.useFakeTimers();
  live.active = false;
  receive("connect_error", new Error("Authorization required"));
  live.active = true;
  expect(respond).not.toHaveBeenCalled();
  expect(getConnection()).toBe("disconnected");
});
