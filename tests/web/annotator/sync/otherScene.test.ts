import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { creation } from "../../../../shared/edits/make";
import { loadOtherScene } from "../../../../web/annotator/sync/otherScene";
import type { Sync } from "../../../../web/sync/push/sync";
import { sceneOf, uuidOf } from "../testEditor";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

const server = vi.hoisted(() => ({ scene: {} as unknown, queries: [] as unknown[] }));
vi.mock("../../../../web/io/http/request", () => ({
  request: async (_: unknown, { query }: { query: unknown }) => {
    server.queries.push(query);
    return server.scene;
  },
}));

beforeEach(() => {
  Object.assign(server, { scene: sceneOf(), queries: [] });
});

it("the scene of another image has edits and categories that cannot be sent at present", async () => {
  const [inKnown, inNew] = [
    creation(uuidOf(20), 7, uuidOf(8), { category_id: 1 }),
    creation(uuidOf(21), 7, uuidOf(9), { category_id: 40 }),
  ];
  const input = { name: "bird", color: "#0000ff" };
  const sink = {
    flush: async () => undefined,
    pendingOf: async (id: number) => (id === 7 ? [inKnown, inNew] : []),
    newCategories: async () => [{ id: 40, dataset_id: 1, input }],
  } as unknown as Sync;
  const user = { username: "ada", anonymous: false } as Parameters<typeof loadOtherScene>[1]["user"];
  const scene = await loadOtherScene(7, { sink, user });
  expect(scene.categories.map(({ name, annotations }) => [name, annotations.map(({ uuid }) => uuid)])).toEqual([
    ["cat", [uuidOf(8)]],
    ["dog", []],
    ["bird", [uuidOf(9)]],
  ]);
  expect(server.queries).toEqual([{ shape: "rings", edits: 104 }]);
});
