import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { type NewMember, writeZip } from "../../../../server/files/zip/zipWriter";
import { unzip } from "../../../support/zips";

const bytesOf = (members: Iterable<NewMember> | AsyncIterable<NewMember>) => buffer(Readable.from(writeZip(members)));

async function* slowly(...pieces: string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece;
}

it("a written zip can be read, whole or in chunks, compressed or not", async () => {
  const noise = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i * 31) % 251));
  const bytes = await bytesOf([
    { path: "a.txt", content: "hello" },
    { path: "ordner/ä 猫.txt", content: slowly("one ", "two ", "ü") },
    { path: "empty", content: "" },
    { path: "empty stream", content: slowly() },
    { path: "noise", content: noise, isPacked: true },
    { path: "noise stream", content: Readable.from([noise, noise]), isPacked: true },
  ]);
  const files = await unzip(bytes);
  expect([...files.keys()]).toEqual(["a.txt", "ordner/ä 猫.txt", "empty", "empty stream", "noise", "noise stream"]);
  expect(String(files.get("ordner/ä 猫.txt"))).toBe("one two ü");
  expect([files.get("empty")?.length, files.get("empty stream")?.length]).toEqual([0, 0]);
  expect(files.get("noise")?.equals(noise)).toBe(true);
  expect(files.get("noise stream")?.equals(Buffer.concat([noise, noise]))).toBe(true);
});

it("a zip without files is valid", async () => {
  expect(await unzip(await bytesOf([]))).toEqual(new Map());
});

it("more files than the old zip format allows can be read, each with its own bytes", async () => {
  const count = 66_000;
  const bytes = await bytesOf(
    Array.from({ length: count }, (_, n) => ({ path: `${n}`, content: `${n}`, isPacked: true })),
  );
  const names = new Set<string>();
  const files = await unzip(bytes, (name) => names.add(name) && ["0", "65535", "65999"].includes(name));
  expect(names.size).toBe(count);
  expect([...files.values()].map(String)).toEqual(["0", "65535", "65999"]);
});

it("reads no faster than the output is consumed", async () => {
  let requested = 0;
  async function* members(): AsyncGenerator<NewMember> {
    for (; requested < 1000; requested++)
      yield { path: `${requested}`, content: Buffer.alloc(100_000, requested), isPacked: true };
  }
  const zip = writeZip(members());
  await zip.next();
  await zip.next();
  expect(requested).toBeLessThan(10);
  await zip.return(undefined);
});

it("fails when a file's stream fails, compressed or not", async () => {
  async function* broken(): AsyncGenerator<string> {
    yield "some";
    throw new Error("the disk is gone");
  }
  for (const isPacked of [true, false])
    await expect(bytesOf([{ path: "x", content: broken(), isPacked }])).rejects.toThrow("the disk is gone");
});
