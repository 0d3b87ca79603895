import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import { blankAnnotation } from "../../../shared/edits/apply";
import type { Comment } from "../../../shared/entities/comment";
import type { Answered } from "../../../web/io/journal/storedEdits";
import { CopyStore } from "../../../web/offline/copy/copyStore";
import { LARGE_SCENE, RecentImages } from "../../../web/offline/download/recent";
import { Copies } from "../../../web/offline/download/userCopies";
import { eventually } from "../../support/eventually";
import { FakeServer } from "./fakeServer";

let server: FakeServer;
let copies: Copies;

beforeEach(() => {
  server = new FakeServer();
  server.add(1, 2, 3);
  copies = new Copies(`copy ${randomUUID()}`, "ada", server.ports);
});
afterEach(() => copies.wipe());

/** Returns an image's scene as the annotator loads it. */
function sceneOf(id: number): AnnotatorScene {
  const { image, annotations, comments, deleted } = server.scene(id);
  const { extra: _, ...own } = image;
  // Only copies are sent how a shape is stored, and unknown keys of imported files.
  const shown = annotations.map(({ stored: _, extra: __, ...annotation }) => annotation);
  const { permissions, ...dataset } = server.dataset;
  const beside = { annotating: ["bob"], previous: null, next: null, next_not_annotated: null };
  return {
    image: { ...own, ...beside },
    dataset,
    preferences: {},
    ...(comments && { comments }),
    ...(deleted && { deleted }),
    permissions: { dataset: permissions, image: { delete: true, download: true } },
    time_ms: 1,
    categories: server.categories.map((category) => ({
      ...category,
      annotations: shown.filter(({ category_id }) => category_id === category.id),
    })),
  };
}

/** Holds the download of an image's file. Returns a function that lets it end. */
function holdFile(id: number): () => void {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  server.files.set(id, async () => {
    await ended;
    return { kind: "file", blob: new Blob([`image ${id}`]) };
  });
  return end;
}

/** Returns the user's first change of an annotation, with the server's response. */
function acknowledged(scene: AnnotatorScene, target: string): Answered {
  const uuid = randomUUID();
  return {
    edit: {
      ...{ uuid, image_id: scene.image.id, base: 0, subject: "annotation", target, action: "modify" },
      ...{ before: {}, after: { color: "#00ff00" } },
    },
    answer: { uuid, status: "applied", revision: 1, image_revision: scene.image.revision + 1 },
  };
}

async function open(id: number): Promise<void> {
  await copies.note(sceneOf(id));
  // The time of use has milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const kept = () => copies.store.files.toCollection().primaryKeys();

it("keeps an image that was opened, with scene, file and dataset", async () => {
  server.annotate(1, { ...blankAnnotation(randomUUID(), 1), id: 4, category_id: 1 });
  await open(1);
  expect(await (await copies.store.files.get(1))?.blob.text()).toBe("image 1");
  expect(await copies.store.scenes.get(1)).toMatchObject({ image: { id: 1, revision: 1 }, annotations: [{ id: 4 }] });
  expect((await copies.store.scenes.get(1))?.image).not.toHaveProperty("annotating");
  expect(await copies.store.datasets.get(1)).toMatchObject({ choice: null, categories: [{ id: 1 }] });
  await eventually(() => expect(copies.state.getState().recent.bytes).toBe(7));
  expect(copies.state.getState().datasets).toEqual([]);
});

describe("a large scene", () => {
  const target = randomUUID();
  const large = () => {
    const others = Array.from({ length: LARGE_SCENE - 1 }, () => randomUUID());
    for (const uuid of [target, ...others]) server.annotate(1, { ...blankAnnotation(uuid, 1), category_id: 1 });
    return sceneOf(1);
  };
  /** Holds the pause before a large scene is kept. Returns a function that ends it. */
  const holdPause = () => {
    const start = globalThis.setTimeout;
    const held: (() => void)[] = [];
    const startOrHold = (run: () => void, ms?: number) => {
      if (ms !== 2_000) return start(run, ms);
      held.push(run);
      return start(() => undefined, 0);
    };
    vi.spyOn(globalThis, "setTimeout").mockImplementation(startOrHold as typeof setTimeout);
    return async () => {
      await eventually(() => expect(held).toHaveLength(1));
      held[0]?.();
    };
  };
  afterEach(() => void vi.restoreAllMocks());
  const sceneHere = () => copies.store.scenes.get(1);

  it("is kept after a pause", async () => {
    const endPause = holdPause();
    const kept = copies.note(large());
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await sceneHere()).toBeUndefined();
    await endPause();
    await kept;
    expect((await sceneHere())?.annotations).toHaveLength(LARGE_SCENE);
  });

  it("is kept at once when an edit of it is stored, and contains the edit", async () => {
    const scene = large();
    holdPause();
    const kept = copies.note(scene);
    await copies.keepAcknowledged([acknowledged(scene, target)]);
    await kept;
    const annotations = (await sceneHere())?.annotations ?? [];
    expect(annotations.find((each) => each.uuid === target)).toMatchObject({ color: "#00ff00", revision: 1 });
  });

  it("does not keep a stored edit waiting for the file of an image", async () => {
    const end = holdFile(1);
    const kept = copies.note(large());
    await copies.keepAcknowledged([]);
    expect(await sceneHere()).toBeDefined();
    end();
    await kept;
  });

  it("is not waited for when the copies are closed", async () => {
    holdPause();
    const kept = copies.note(large());
    copies.close();
    await kept;
  });
});

it("has an image's stored edits although the file of an earlier image is still arriving", async () => {
  const target = randomUUID();
  server.annotate(2, { ...blankAnnotation(target, 2), category_id: 1 });
  const end = holdFile(1);
  const scene = sceneOf(2);
  const noted = [copies.note(sceneOf(1))];
  await eventually(() => expect(server.log).toContain("file 1"));
  noted.push(copies.note(scene));
  await copies.keepAcknowledged([acknowledged(scene, target)]);
  const changed = { image: { revision: 2 }, annotations: [{ color: "#00ff00", revision: 1 }] };
  expect(await copies.store.scenes.get(2)).toMatchObject(changed);
  end();
  await Promise.all(noted);
  expect(await copies.store.scenes.get(2)).toMatchObject(changed);
  expect(await kept()).toEqual([1, 2]);
});

it("downloads a file once although its image is opened again while it arrives", async () => {
  const end = holdFile(1);
  const noted = [copies.note(sceneOf(1)), copies.note(sceneOf(1))];
  await eventually(() => expect(server.log).toContain("file 1"));
  end();
  await Promise.all(noted);
  expect(server.count("file 1")).toBe(1);
});

it("does not download the file of an image that was removed before its turn", async () => {
  const end = holdFile(1);
  const noted = [copies.note(sceneOf(1)), copies.note(sceneOf(2))];
  await eventually(async () => expect(await copies.store.scenes.count()).toBe(2));
  await eventually(() => expect(server.log).toContain("file 1"));
  await copies.store.settings.put({ key: "recentLimit", value: 0 });
  end();
  await Promise.all(noted);
  expect(server.count("file 2")).toBe(0);
  expect(await copies.store.images.count()).toBe(0);
});

it("removes the least recently opened images above the limit", async () => {
  await copies.setRecentLimit(14);
  await open(1);
  await open(2);
  await copies.noteUse(1);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await open(3);
  expect(await kept()).toEqual([1, 3]);
  expect(await copies.store.images.toCollection().primaryKeys()).toEqual([1, 3]);
  await copies.setRecentLimit(7);
  expect(await kept()).toEqual([3]);
});

it("does not remove an image that is opened again while older ones are removed", async () => {
  const store = new CopyStore(`copy ${randomUUID()}`);
  const recent = new RecentImages(store, server.ports.loader);
  await recent.note(sceneOf(1));
  await recent.note(sceneOf(2));
  const reading = new Promise<void>((resolve) => {
    const { datasets } = store;
    vi.spyOn(datasets, "bulkGet").mockImplementationOnce((ids) => {
      // In a task of its own: Dexie takes calls made in this one for calls of its transaction.
      setImmediate(resolve);
      return datasets.bulkGet(ids);
    });
  });
  const removing = recent.setLimit(7);
  await reading;
  await Promise.all([removing, recent.note(sceneOf(1))]);
  expect(await store.images.toCollection().primaryKeys()).toEqual([1]);
  expect(await store.scenes.toCollection().primaryKeys()).toEqual([1]);
  await store.wipe();
});

it("keeps nothing with a limit of 0", async () => {
  await open(1);
  await copies.setRecentLimit(0);
  await open(2);
  for (const table of ["images", "scenes", "files", "datasets"] as const)
    expect(await copies.store[table].count()).toBe(0);
});

it("never removes images of a chosen dataset", async () => {
  await copies.choose(1, { form: "original", ids: [1, 2] });
  await eventually(() => expect(copies.state.getState().datasets[0]?.state).toBe("complete"));
  await open(1);
  await open(3);
  expect(await kept()).toEqual([1, 2, 3]);
  await copies.setRecentLimit(0);
  expect(await kept()).toEqual([1, 2]);
  expect(await copies.store.images.count()).toBe(3);
});

describe("what only a download brings", () => {
  const [same, changed] = [randomUUID(), randomUUID()];
  const comment = { uuid: randomUUID(), text: "Too wide" } as Comment;
  const whole = { comments: [comment], deleted: [[2, 3]], image: { extra: { camera: 5 } } };
  const sceneHere = () => copies.store.scenes.get(1);
  const choose = async () => {
    await copies.choose(1, { form: "original", ids: null });
    await eventually(() => expect(copies.state.getState().datasets[0]?.state).toBe("complete"));
  };

  beforeEach(() => {
    for (const [i, uuid] of [same, changed].entries()) {
      const annotation = { ...blankAnnotation(uuid, 1), id: 5 + i, category_id: 1 };
      server.annotate(1, { ...annotation, stored: "box", extra: { score: i } });
    }
    server.comments.set(1, [comment]);
    Object.assign(server.image(1), { deleted: [[2, 3]], extra: { camera: 5 } });
  });

  it("stays when the image is opened", async () => {
    await choose();
    const before = await sceneHere();
    expect(before).toMatchObject({ ...whole, annotations: [{ stored: "box", extra: { score: 0 } }, {}] });
    await open(1);
    expect(await sceneHere()).toEqual(before);
    expect((await copies.store.images.get(1))?.usedAt).toBeGreaterThan(0);
  });

  it("stays with what has not changed, until the next update", async () => {
    await choose();
    const [, annotation] = server.image(1).annotations;
    Object.assign(annotation ?? expect.unreachable(), { color: "#00ff00", revision: 1, stored: undefined });
    server.image(1).manifest.revision += 1;
    await open(1);
    const [first, second] = (await sceneHere())?.annotations ?? [];
    expect(await sceneHere()).toMatchObject(whole);
    expect(first).toMatchObject({ uuid: same, stored: "box", extra: { score: 0 } });
    expect(second).toMatchObject({ uuid: changed, color: "#00ff00" });
    expect(second).not.toHaveProperty("extra");
    await copies.resume(1);
    await eventually(async () => expect((await sceneHere())?.annotations[1]).toMatchObject({ extra: { score: 1 } }));
  });

  it("comes when the dataset of an opened image is chosen", async () => {
    await open(1);
    expect(await sceneHere()).toMatchObject({ comments: [comment], deleted: [[2, 3]] });
    await choose();
    expect(await sceneHere()).toMatchObject({ ...whole, annotations: [{ extra: { score: 0 } }, {}] });
  });
});

it("stores the scene of an image that is opened again, but its file only once", async () => {
  await open(1);
  server.annotate(1, { ...blankAnnotation(randomUUID(), 1), category_id: 1 });
  await open(1);
  expect((await copies.store.scenes.get(1))?.annotations).toHaveLength(1);
  expect(server.count("file 1")).toBe(1);
});

it("keeps the scene if the server goes away before the file arrives", async () => {
  const scene = sceneOf(1);
  server.isAway = true;
  await copies.note(scene);
  expect(await copies.store.scenes.count()).toBe(1);
  expect(await kept()).toEqual([]);
});
