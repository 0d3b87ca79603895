import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { bodyOf, CHARACTERS, JsonPieces } from "../../../../server/routes/http/jsonText";

const ring = (points: number) => Array.from({ length: 2 * points }, (_, i) => i / 7);
const piecesOf = async (body: string | Readable): Promise<string[]> =>
  typeof body === "string" ? [body] : ((await body.toArray()) as string[]);

test("a long output is sent in chunks that together equal JSON.stringify's text", async () => {
  const output = [{ rings: [[ring(100_000)]] }, { rings: [] }];
  const pieces = await piecesOf(await bodyOf(output));
  expect(pieces.join("")).toBe(JSON.stringify(output));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(400_000);
});

test("a short output is sent as one text", async () => {
  expect(await bodyOf({ a: [1] })).toBe('{"a":[1]}');
});

async function* oneLongPiece(text: string) {
  yield text;
}

test("a long piece is sent in chunks, and no character is split in two", async () => {
  for (const before of ["", "x"]) {
    const text = before + "🦀".repeat(400_000);
    const pieces = await piecesOf(await bodyOf(new JsonPieces(oneLongPiece(text))));
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(CHARACTERS + 1);
    expect(pieces.map((piece) => Buffer.from(piece).toString()).join("")).toBe(text);
  }
});

async function* piecesUntil(count: number, onPiece: (made: number) => void) {
  for (let made = 1; made <= count; made++) {
    onPiece(made);
    yield "x".repeat(50_000);
  }
}

test("chunks are made only when they are sent", async () => {
  let made = 0;
  const body = await bodyOf(new JsonPieces(piecesUntil(1000, (number) => (made = number))));
  const iterator = (body as Readable)[Symbol.asyncIterator]();
  await iterator.next();
  expect(made).toBeLessThan(100);
  await iterator.return?.();
});

test("few chunks are one text, and an error in the first ones is thrown before anything is sent", async () => {
  expect(await bodyOf(new JsonPieces(piecesUntil(2, () => undefined)))).toHaveLength(100_000);
  const fail = () => {
    throw new Error("gone");
  };
  await expect(bodyOf(new JsonPieces(piecesUntil(2, fail)))).rejects.toThrow("gone");
});
