import Dexie from "dexie";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { wipeLocalData } from "../../../web/io/logout";
import { copiesOf, keepStoredEdits } from "../../../web/offline/copies";
import { CopyStore, copyName } from "../../../web/offline/copy/copyStore";
import { eventually } from "../../support/eventually";

const INSTALLATION = "7d8aa9a8-6f5b-4b5c-9d58-6d2f5f0a3c11";
const OTHER = "00000000-6f5b-4b5c-9d58-6d2f5f0a3c11";
const ada = { installation: INSTALLATION, userId: 1, username: "ada" };
const BOB = { installation: INSTALLATION, userId: 2, username: "bob" };

beforeEach(() => {
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { baseURI: "http://limn.test/", visibilityState: "visible", hasFocus: () => true });
});
afterEach(async () => {
  for (const { username } of [ada, BOB]) await wipeLocalData(username);
  for (const name of await Dexie.getDatabaseNames()) await Dexie.delete(name);
  vi.unstubAllGlobals();
});

const names = async () => (await indexedDB.databases()).map(({ name }) => name);

/** Creates the database that another page left. */
async function leaveCopy(owner: typeof ada): Promise<string> {
  const store = new CopyStore(copyName(owner));
  await store.settings.put({ key: "recentLimit", value: 1 });
  store.close();
  return store.name;
}

it("returns the same copies for the same user, and closes the previous user's copies", async () => {
  const first = copiesOf(ada);
  expect(copiesOf({ ...ada })).toBe(first);
  const second = copiesOf(BOB);
  expect(second.store.name).not.toBe(first.store.name);
  await eventually(() => expect(first.store.dexie.isOpen()).toBe(false));
});

it("deletes copies of the same user and another installation, and nobody else's", async () => {
  const older = await leaveCopy({ ...ada, installation: OTHER });
  const renumbered = await leaveCopy({ ...ada, installation: OTHER, userId: 7 });
  const bobs = await leaveCopy({ ...BOB, installation: OTHER });
  copiesOf(ada);
  await eventually(async () => expect(await names()).not.toContain(older));
  await eventually(async () => expect(await names()).not.toContain(renumbered));
  expect(await names()).toContain(bobs);
});

it("deletes the user's copies at logout", async () => {
  const { store } = copiesOf(ada);
  await store.settings.put({ key: "recentLimit", value: 1 });
  await wipeLocalData(BOB.username);
  expect(await names()).toContain(store.name);
  await wipeLocalData(ada.username);
  expect(await names()).not.toContain(store.name);
});

it("says that nothing can be stored where the browser offers no storage", async () => {
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  const { state } = copiesOf(ada);
  await eventually(() => expect(state.getState().state).toBe("unavailable"));
  expect(state.getState().reason).toContain("private window");
  vi.restoreAllMocks();
});

it("opens the copies once the browser can, after the first attempt failed", async () => {
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("no space", "QuotaExceededError");
  });
  const { state, store } = copiesOf({ ...ada, userId: 3, username: "carol" });
  await eventually(() => expect(state.getState().state).toBe("unavailable"));
  vi.restoreAllMocks();
  await eventually(() => expect(state.getState()).toMatchObject({ state: "loaded", reason: null }));
  await store.settings.put({ key: "recentLimit", value: 1 });
  expect(await store.settings.count()).toBe(1);
});

it("does not reopen a former user's copies when edits are acknowledged late", async () => {
  const bobs = copiesOf(BOB);
  await keepStoredEdits(ada, []);
  expect(copiesOf(BOB)).toBe(bobs);
});
