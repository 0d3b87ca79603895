import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { openAhead, type UnopenedMember } from "../../../../server/features/exports/openAhead";
import type { NewMember } from "../../../../server/files/zip/zipWriter";

const COUNT = 30;

it("yields members in their order, with at most eight of them open, and leaves out those that are missing", async () => {
  let [open, most] = [0, 0];
  async function* source(): AsyncGenerator<NewMember | UnopenedMember> {
    yield { path: "first.json", content: "{}" };
    for (let n = 0; n < COUNT; n++) {
      yield { path: `${n}.txt`, content: "text" };
      yield {
        async open() {
          most = Math.max(most, ++open);
          await new Promise((later) => setTimeout(later, (n * 7) % 5));
          return n === 4 ? void open-- : { path: `${n}.jpg`, content: "image" };
        },
      };
    }
  }
  const paths: string[] = [];
  for await (const { path } of openAhead(source())) {
    if (path.endsWith(".jpg")) open--;
    paths.push(path);
  }
  const numbered = Array.from({ length: COUNT }, (_, n) => (n === 4 ? [`${n}.txt`] : [`${n}.txt`, `${n}.jpg`]));
  expect(paths).toEqual(["first.json", ...numbered.flat()]);
  expect(most).toBeGreaterThan(2);
  expect(most).toBeLessThanOrEqual(8);
});

it("closes what it has opened ahead if the zip is given up", async () => {
  const streams: Readable[] = [];
  async function* source(): AsyncGenerator<UnopenedMember> {
    for (let n = 0; n < COUNT; n++)
      yield {
        async open() {
          const content = Readable.from(["image"]);
          streams.push(content);
          return { path: `${n}.jpg`, content };
        },
      };
  }
  for await (const { content } of openAhead(source())) {
    (content as Readable).destroy();
    break;
  }
  await expect.poll(() => streams.every((stream) => stream.destroyed)).toBe(true);
  expect(streams.length).toBeLessThanOrEqual(8);
});

it("fails with the error of a member when it is its turn", async () => {
  async function* source(): AsyncGenerator<UnopenedMember> {
    yield { open: async () => ({ path: "a.jpg", content: "image" }) };
    yield { open: () => Promise.reject(new Error("The storage is overloaded.")) };
  }
  const paths: string[] = [];
  const read = async () => {
    for await (const { path } of openAhead(source())) paths.push(path);
  };
  await expect(read()).rejects.toThrow("The storage is overloaded.");
  expect(paths).toEqual(["a.jpg"]);
});
