import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { blankAnnotation } from "../../../shared/edits/apply";
import { countReservedIds, takeReservedId } from "../../../web/offline/copy/newCategories";
import { fullStorage } from "../../../web/offline/download/outcome";
import { Copies } from "../../../web/offline/download/userCopies";
import { eventually } from "../../support/eventually";
import { FakeServer } from "./fakeServer";

const ALL = { form: "original", ids: null } as const;

let server: FakeServer;
let name: string;
const opened: Copies[] = [];

beforeEach(() => {
  server = new FakeServer();
  name = `copy ${randomUUID()}`;
});
afterEach(async () => {
  for (const copies of opened.splice(0)) await copies.wipe();
});

function openTab(): Copies {
  const copies = new Copies(name, "ada", server.ports);
  opened.push(copies);
  return copies;
}

const shown = (copies: Copies) => copies.state.getState().datasets[0];
const reaches = (copies: Copies, state: string) => eventually(() => expect(shown(copies)?.state).toBe(state));
const contentOf = async (copies: Copies, id: number) => (await copies.store.files.get(id))?.blob.text();

it("downloads rows, scenes, files and DEXTR of a chosen dataset", async () => {
  server.add(1, 2, 3);
  server.annotate(2, { ...blankAnnotation(randomUUID(), 2), id: 7, category_id: 1 });
  const copies = openTab();
  await copies.choose(1, ALL);
  await reaches(copies, "complete");
  expect(shown(copies)).toMatchObject({ name: "dataset 1", images: { total: 3, here: 3 }, bytes: { here: 21 } });
  expect((await copies.store.scenes.get(2))?.annotations).toMatchObject([{ id: 7 }]);
  expect(await contentOf(copies, 3)).toBe("image 3");
  expect((await copies.store.datasets.get(1))?.categories).toHaveLength(1);
  await eventually(() => expect(server.log).toContain("dextr"));
});

it("estimates the chosen images with one manifest for the estimate and the choice", async () => {
  server.add(1, 2, 3);
  const copies = openTab();
  const choice = { form: "original" as const, ids: [1, 3] };
  const estimate = await copies.estimate(1, choice, new AbortController().signal);
  expect(estimate).toEqual({ images: 2, bytes: 14, free: null });
  await copies.choose(1, choice);
  expect(server.count("manifest")).toBe(1);
});

it("makes nothing available if the form was left before the dataset's manifest arrived", async () => {
  server.add(1);
  const copies = openTab();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.beforeResponse = () => held;
  const leaving = new AbortController();
  const chosen = copies.choose(1, ALL, leaving.signal);
  await eventually(() => expect(server.count("manifest")).toBe(1));
  leaving.abort();
  release();
  await expect(chosen).rejects.toThrow();
  expect(await copies.store.datasets.count()).toBe(0);
});

it("downloads only the chosen images but lists all", async () => {
  server.add(1, 2, 3);
  const copies = openTab();
  await copies.choose(1, { form: "original", ids: [2] });
  await reaches(copies, "complete");
  expect(shown(copies)?.images).toEqual({ total: 1, here: 1 });
  expect(await copies.store.images.count()).toBe(3);
  expect(await copies.store.files.toCollection().primaryKeys()).toEqual([2]);
});

it("removes images that a smaller choice leaves out", async () => {
  server.add(1, 2, 3);
  const copies = openTab();
  await copies.choose(1, ALL);
  await reaches(copies, "complete");
  await copies.choose(1, { form: "original", ids: [2] });
  await eventually(() => expect(shown(copies)).toMatchObject({ state: "complete", images: { total: 1, here: 1 } }));
  expect(await copies.store.files.toCollection().primaryKeys()).toEqual([2]);
  expect(await copies.store.scenes.toCollection().primaryKeys()).toEqual([2]);
});

it("requests at most 200 scenes at once, and fewer of images with many annotations", async () => {
  server.add(...Array.from({ length: 250 }, (_, i) => i + 1));
  server.image(1).manifest.num_annotations = 5_000;
  const copies = openTab();
  await copies.choose(1, ALL);
  await reaches(copies, "complete");
  const sizes = server.log.filter((entry) => entry.startsWith("scenes")).map((entry) => entry.split(",").length);
  expect(sizes).toEqual([1, 200, 49]);
});

it("continues the download of a killed page in a new page", async () => {
  server.add(1, 2, 3, 4, 5, 6);
  let received = 0;
  server.beforeResponse = (entry) => {
    if (entry.startsWith("file") && ++received > 3) return new Promise(() => undefined);
  };
  const killed = openTab();
  await killed.choose(1, ALL);
  await eventually(() => expect(shown(killed)?.images.here).toBe(3));
  killed.close();
  server.beforeResponse = () => undefined;
  server.log.length = 0;
  const copies = openTab();
  await reaches(copies, "complete");
  expect(shown(copies)?.images).toEqual({ total: 6, here: 6 });
  expect(server.count("file")).toBe(3);
  expect(server.count("scenes")).toBe(0);
});

it("keeps a part of a file and offers it to the next download", async () => {
  server.add(1);
  const parts: (string | null)[] = [];
  server.files.set(1, async ({ part }) => {
    parts.push(part && (await part.blob.text()));
    if (part) return { kind: "file", blob: new Blob([part.blob, "ge 1"]) };
    return { kind: "failed", status: 0, part: { blob: new Blob(["ima"]), tag: '"a"' } };
  });
  const copies = openTab();
  await copies.choose(1, ALL);
  await reaches(copies, "complete");
  expect(parts).toEqual([null, "ima"]);
  expect(await contentOf(copies, 1)).toBe("image 1");
  expect(await copies.store.parts.count()).toBe(0);
});

it("waits while the server is away and continues when it is back", async () => {
  server.add(1, 2);
  const copies = openTab();
  server.beforeResponse = (entry) => void (entry.startsWith("file") && server.setAway(true));
  await copies.choose(1, ALL);
  await reaches(copies, "waiting");
  server.beforeResponse = () => undefined;
  server.setAway(false);
  await reaches(copies, "complete");
});

it("reports an image that fails twice and downloads the others", async () => {
  server.add(1, 2, 3);
  let tries = 0;
  server.files.set(2, async () => {
    tries += 1;
    return { kind: "damaged" };
  });
  const copies = openTab();
  await copies.choose(1, ALL);
  await reaches(copies, "failed");
  expect(shown(copies)?.problem).toBe(
    "One image could not be downloaded: 2.jpg. Try again, or check the files on the server.",
  );
  expect(shown(copies)?.images).toEqual({ total: 3, here: 2 });
  expect(tries).toBe(2);
  server.files.clear();
  await copies.resume(1);
  await reaches(copies, "complete");
});

it("pauses and resumes, also from another tab", async () => {
  server.add(1, 2, 3, 4, 5, 6, 7, 8);
  const [first, second] = [openTab(), openTab()];
  const held = new Set<() => void>();
  server.beforeResponse = (entry) => {
    if (entry.startsWith("file")) return new Promise((resolve) => held.add(resolve));
  };
  await first.choose(1, ALL);
  await eventually(() => expect(held.size).toBeGreaterThanOrEqual(4));
  await second.pause(1);
  await reaches(second, "paused");
  const requested = server.count("file");
  server.beforeResponse = () => undefined;
  // The running download notices the pause before it goes on.
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const release of held) release();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.count("file")).toBe(requested);
  expect(shown(second)?.state).toBe("paused");
  await second.resume(1);
  await reaches(first, "complete");
  await reaches(second, "complete");
});

it("removes a dataset during its download and stores nothing of it afterwards", async () => {
  server.add(1, 2, 3, 4, 5);
  const held: (() => void)[] = [];
  server.beforeResponse = (entry) => {
    if (entry.startsWith("file")) return new Promise((resolve) => held.push(resolve));
  };
  const copies = openTab();
  await copies.choose(1, ALL);
  await eventually(() => expect(held).toHaveLength(4));
  await copies.remove(1);
  server.beforeResponse = () => undefined;
  for (const release of held) release();
  await eventually(() => expect(copies.state.getState().datasets).toEqual([]));
  await new Promise((resolve) => setTimeout(resolve, 100));
  // Settings concern no dataset.
  for (const table of copies.store.dexie.tables.filter(({ name }) => name !== "settings"))
    expect(await table.count()).toBe(0);
});

it("reports that the storage is full and keeps the files that have arrived", async () => {
  // More than are stored at once.
  server.add(...Array.from({ length: 30 }, (_, i) => i + 1));
  const copies = openTab();
  const put = copies.store.files.bulkPut.bind(copies.store.files);
  let stored = 0;
  vi.spyOn(copies.store.files, "bulkPut").mockImplementation((rows) => {
    if (stored > 0) throw new DOMException("", "QuotaExceededError");
    stored = rows.length;
    return put(rows);
  });
  await copies.choose(1, ALL);
  await reaches(copies, "failed");
  expect(shown(copies)?.problem).toBe(fullStorage());
  expect(shown(copies)?.images).toEqual({ total: 30, here: stored });
  expect(await copies.store.files.count()).toBe(stored);
});

it("reports that the storage is full even if the report cannot be stored", async () => {
  server.add(1);
  const copies = openTab();
  const refuse = () => {
    throw new DOMException("", "QuotaExceededError");
  };
  await copies.choose(1, ALL);
  vi.spyOn(copies.store.files, "bulkPut").mockImplementation(refuse);
  const put = copies.store.datasets.put.bind(copies.store.datasets);
  vi.spyOn(copies.store.datasets, "put").mockImplementation((row) => (row.state === "failed" ? refuse() : put(row)));
  await reaches(copies, "failed");
  expect(shown(copies)?.problem).toBe(fullStorage());
});

it("reports that the storage is full when not even the list of images fits", async () => {
  server.add(1);
  const copies = openTab();
  vi.spyOn(copies.store.images, "bulkPut").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
  await expect(copies.choose(1, ALL)).rejects.toThrow(fullStorage());
});

it("lets one tab work at a time where the browser has locks", async () => {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, __: object, work: () => Promise<unknown>) => {
    last = last.then(work);
    return last;
  };
  vi.stubGlobal("navigator", { locks: { request } });
  server.add(1, 2, 3, 4, 5);
  const [first, second] = [openTab(), openTab()];
  await first.choose(1, ALL);
  await second.resume(1);
  await reaches(second, "complete");
  await last;
  expect(server.count("file")).toBe(5);
  expect(server.count("scenes")).toBe(1);
  vi.unstubAllGlobals();
});

it("a dataset is complete only with DEXTR and with ids for new categories, of which a browser holds twenty", async () => {
  server.add(1);
  const copies = openTab();
  let release = () => {};
  const { keepDextr } = server;
  server.keepDextr = async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await keepDextr();
  };
  await copies.choose(1, ALL);
  await eventually(() => expect(server.count("file")).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await copies.store.datasets.get(1))?.state).toBe("running");
  release();
  await reaches(copies, "complete");
  const taken = [];
  for (let n = 0; n < 15; n++) taken.push(await takeReservedId(copies.store));
  expect(taken).toEqual(Array.from({ length: 15 }, (_, i) => 1000 + i));
  await copies.resume(1);
  await eventually(async () => expect(await countReservedIds(copies.store)).toBe(20));
  expect(await takeReservedId(copies.store)).toBe(1015);
});
