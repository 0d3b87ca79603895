// @vitest-environment jsdom
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { MutationObserver, type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getUser } from "../../../shared/api/accounts/user";
import { createDataset } from "../../../shared/api/datasets/dataset";
import { request } from "../../../web/io/http/request";
import { ownerOfJournal } from "../../../web/io/journal/journalName";
import { beforeLogout } from "../../../web/io/logout";
import { makeQueryClient } from "../../../web/queries/client";
import { DATASETS_KEY, USER_KEY } from "../../../web/queries/keys";
import { type Session, sessionQuery, useLogout } from "../../../web/queries/session";
import { eventually } from "../../support/eventually";

const ada = { id: 1, username: "ada", name: "Ada", is_admin: true, anonymous: false, last_seen: null, preferences: {} };
const ID = "7d8aa9a8-6f5b-4b5c-9d58-6d2f5f0a3c11";

/** A server with one session, over HTTP like the real one. */
let server: Server;
let base = "";
let isLoggedIn: boolean;
/** The user of the session. */
let account = ada;
/** Address without a response until the test runs `late`. */
let silent: string | null;
let late: (() => void)[];
let requested: string[];
let lastSeen: string | null = null;
/** Undefined for a server of the version before ids. */
let installation: string | undefined;
let client: QueryClient;
let root: Root | undefined;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  requested = [];
  lastSeen = null;
  installation = ID;
  isLoggedIn = true;
  account = ada;
  silent = null;
  late = [];
  client = makeQueryClient(() => {});
  localStorage.clear();
  await start();
});
afterEach(async () => {
  vi.useRealTimers();
  await act(async () => root?.unmount());
  root = undefined;
  client.clear();
  await stop();
});

async function start() {
  server = createServer((incoming, outgoing) => {
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    if (incoming.method === "OPTIONS") return outgoing.writeHead(204, headers).end();
    // Health checks may also come from a module that this worker shares with earlier files.
    if (incoming.url !== "/api/health") requested.push(incoming.url ?? "");
    const user = () =>
      outgoing.writeHead(200, headers).end(JSON.stringify({ user: { ...account, last_seen: lastSeen }, installation }));
    if (incoming.url === silent)
      return late.push(() =>
        isLoggedIn ? user() : outgoing.writeHead(401, headers).end('{"message":"Please log in."}'),
      );
    if (incoming.url === "/api/user/logout" && incoming.headers["x-limn-user"] !== String(account.id))
      return outgoing.writeHead(409, headers).end('{"message":"Another user.","code":"other_user"}');
    if (incoming.url === "/api/user/logout") isLoggedIn = false;
    if (incoming.url === "/api/user/logout") return outgoing.writeHead(200, headers).end('{"success":true}');
    if (!isLoggedIn) return outgoing.writeHead(401, headers).end('{"message":"Please log in."}');
    user();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  document.head.innerHTML = `<base href="${base}">`;
}
const stop = () =>
  new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  });

const session = () => client.fetchQuery({ ...sessionQuery, staleTime: 0 });

/** Calls the function returned by the hook, used like in a component. */
async function logOut(user: Pick<typeof ada, "id" | "username"> = ada) {
  let mutate: () => Promise<void> = async () => {};
  function Harness() {
    const logout = useLogout();
    useEffect(() => {
      mutate = () => logout.mutateAsync(user);
    });
    return null;
  }
  root = createRoot(document.createElement("div"));
  await act(async () => root!.render(createElement(QueryClientProvider, { client }, createElement(Harness))));
  await act(() => mutate());
  await act(async () => root?.unmount());
  root = undefined;
}

describe("the session", () => {
  it("the session is the user returned by the server, and empty on 401", async () => {
    expect(await session()).toEqual({ user: ada, installation: ID, isRemembered: false });
    isLoggedIn = false;
    expect(await session()).toBeNull();
  });

  it("the session needs nothing that browsers of 2023 lack", async () => {
    vi.spyOn(AbortSignal, "any").mockImplementation(() => {
      throw new TypeError("AbortSignal.any is not a function");
    });
    expect((await session())?.user.username).toBe("ada");
    vi.restoreAllMocks();
  });

  it("the session is the remembered user if the server is unreachable", async () => {
    await session();
    await stop();
    expect(await session()).toEqual({ user: ada, installation: ID, isRemembered: true });
  });

  it("stays the same object for the same user, even if only the time last seen changes", async () => {
    const kept = () => client.getQueryData<Session>(USER_KEY);
    await session();
    const first = kept();
    lastSeen = "2026-01-02T03:04:05Z";
    await session();
    expect(kept()).toBe(first);
    await stop();
    await session();
    expect(kept()).toMatchObject({ isRemembered: true });
    expect(kept()?.user).toBe(first?.user);
  });

  it("differs when the installation does, even for the same user", async () => {
    const first = await session();
    installation = "11111111-6f5b-4b5c-9d58-6d2f5f0a3c11";
    expect(await session()).toEqual({ ...first, installation });
    await stop();
    expect(await session()).toEqual({ ...first, installation, isRemembered: true });
  });

  it("the session has no installation with a server from before ids", async () => {
    installation = undefined;
    expect(await session()).toMatchObject({ installation: null });
  });

  it("records the owner of a journal from before ids, before it clears the remembered user", async () => {
    localStorage.setItem("limn.user", JSON.stringify({ ...ada, id: 5, username: "carol" }));
    await session();
    expect(ownerOfJournal("limn / 5")).toEqual({ installation: null, userId: 5, username: "carol" });
    expect(ownerOfJournal("limn / 1")).toEqual({ installation: null, userId: 1, username: undefined });
  });

  it("the session is an error if no user is remembered and the server is unreachable", async () => {
    await stop();
    await expect(session()).rejects.toMatchObject({ status: 0 });
  });

  it("ends everywhere when any call returns 401", async () => {
    await session();
    client.setQueryData(USER_KEY, { user: ada, isRemembered: false });
    isLoggedIn = false;
    const failing = client.fetchQuery({
      queryKey: DATASETS_KEY,
      queryFn: () =>
        import("../../../web/io/http/request").then(async ({ request }) =>
          request((await import("../../../shared/api/accounts/user")).getUser),
        ),
    });
    await expect(failing).rejects.toMatchObject({ status: 401 });
    expect(client.getQueryData(USER_KEY)).toBeNull();
  });

  it("stays when a query whose page itself tells the user returns 401", async () => {
    await session();
    client.setQueryData(USER_KEY, { user: ada, isRemembered: false });
    isLoggedIn = false;
    const failing = client.fetchQuery({
      queryKey: DATASETS_KEY,
      queryFn: () => request(getUser),
      meta: { keepsPage: true },
    });
    await expect(failing).rejects.toMatchObject({ status: 401 });
    expect(client.getQueryData(USER_KEY)).toMatchObject({ user: ada });
  });
});

describe("signing out", () => {
  it("ends the calls of the former user: a late refusal signs no other user out", async () => {
    await session();
    const failures: unknown[] = [];
    silent = "/api/dataset/";
    const call = new MutationObserver(client, { mutationFn: () => request(createDataset, { body: { name: "x" } }) })
      .mutate()
      .catch((error) => void failures.push(error));
    await eventually(() => expect(requested).toContain("/api/dataset/"));
    await logOut();
    const bob = { user: { ...ada, id: 2, username: "bob" }, isRemembered: false };
    client.setQueryData(USER_KEY, bob);
    isLoggedIn = false;
    for (const answer of late) answer();
    await call;
    expect(failures).toHaveLength(1);
    expect(client.getQueryData(USER_KEY)).toEqual(bob);
  });

  it("leaves nothing of the user: server state, memory, other stores", async () => {
    await session();
    client.setQueryData(DATASETS_KEY, ["secret"]);
    const wiped: string[] = [];
    const off = beforeLogout({
      username: "ada",
      warning: async () => null,
      wipe: async () => void wiped.push("journal"),
    });
    await logOut();
    off();
    expect(requested).toContain("/api/user/logout");
    expect(wiped).toEqual(["journal"]);
    expect(client.getQueryData(DATASETS_KEY)).toBeUndefined();
    expect(client.getQueryData(USER_KEY)).toBeNull();
    expect(Object.values(localStorage).join()).not.toContain("ada");
  });

  it("leaves the session of another user, who has logged in in another tab, and shows it", async () => {
    await session();
    account = { ...ada, id: 2, username: "bob" };
    await logOut();
    expect(isLoggedIn).toBe(true);
    expect((await session())?.user.username).toBe("bob");
    requested = [];
    await session();
    expect(requested).toEqual(["/api/user/"]);
  });

  it("signing out takes effect for the user who pressed it, not for one who has logged in here since", async () => {
    await session();
    const bob = { ...ada, id: 2, username: "bob" };
    client.setQueryData(USER_KEY, { user: bob, installation: undefined });
    const wiped: string[] = [];
    const off = beforeLogout({
      username: "ada",
      warning: async () => null,
      wipe: async () => void wiped.push("journal"),
    });
    await logOut();
    off();
    expect(wiped).toEqual([]);
    expect(requested).not.toContain("/api/user/logout");
    expect(client.getQueryData(USER_KEY)).toMatchObject({ user: bob });
  });

  it("signing out offline takes effect here at once, and reaches the server before the old cookie is used", async () => {
    await session();
    await stop();
    await logOut();
    expect(client.getQueryData(USER_KEY)).toBeNull();
    expect(await session()).toBeNull();

    requested = [];
    await start();
    expect(isLoggedIn).toBe(true);
    expect(await session()).toBeNull();
    expect(requested).toEqual(["/api/user/logout", "/api/user/"]);
  });

  it("does not wait for a server that hangs", async () => {
    await session();
    const wiped: string[] = [];
    const off = beforeLogout({
      username: "ada",
      warning: async () => null,
      wipe: async () => void wiped.push("journal"),
    });
    silent = "/api/user/logout";
    const left = logOut();
    await eventually(() => expect(requested).toContain("/api/user/logout"));
    off();
    expect(wiped).toEqual(["journal"]);
    expect(client.getQueryData(USER_KEY)).toBeNull();
    server.closeAllConnections();
    await left;
  });

  it("signing out is not undone by a request sent before it", async () => {
    silent = "/api/user/";
    const before = session().catch(() => undefined);
    await eventually(() => expect(requested).toContain("/api/user/"));
    await logOut();
    for (const answer of late) answer();
    await before;
    expect(client.getQueryData(USER_KEY)).toBeNull();
  });

  it("signing out without a response leaves no user signed in, and is repeated until there is one", async () => {
    await session();
    silent = "/api/user/logout";
    const left = logOut();
    await eventually(() => expect(requested).toContain("/api/user/logout"));
    server.closeAllConnections();
    await left;

    requested = [];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const opened = session();
    await eventually(() => expect(requested).toEqual(["/api/user/logout"]));
    vi.advanceTimersByTime(10_000);
    expect(await opened).toBeNull();
    vi.useRealTimers();

    requested = [];
    silent = null;
    expect(isLoggedIn).toBe(true);
    expect(await session()).toBeNull();
    expect(requested).toEqual(["/api/user/logout", "/api/user/"]);
  });
});
