import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Answer, OutsideError } from "./outside";

/** Reads a whole body as text. Throws OutsideError beyond so many bytes, and where it breaks off. */
export async function readText({ body }: Answer, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  await take(body, maxBytes, (piece) => pieces.push(piece));
  return Buffer.concat(pieces).toString("utf8");
}

async function take(body: Answer["body"], maxBytes: number, add: (piece: Buffer) => void): Promise<void> {
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      add(piece);
    }
  } catch (error) {
    body.destroy();
    throw brokenOff(error);
  }
}

/** Writes a body to a file. Throws OutsideError beyond so many bytes, and where it breaks off; the file is the caller's. */
export async function readIntoFile({ body, headers }: Answer, file: string, maxBytes: number): Promise<void> {
  if (Number(headers["content-length"]) > maxBytes) {
    body.destroy();
    throw tooLarge(maxBytes);
  }
  let bytes = 0;
  const counted = new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      done(bytes > maxBytes ? tooLarge(maxBytes) : null, piece);
    },
  });
  const target = createWriteStream(file);
  let diskError: Error | undefined;
  target.once("error", (error) => {
    diskError ??= error;
  });
  await pipeline(body, counted, target).catch((error) => {
    throw isOfTheDisk(diskError) ? diskError : brokenOff(error);
  });
}

/** A full disk is no fault of the other server. */
const isOfTheDisk = (error: Error | undefined): error is Error =>
  error !== undefined && "syscall" in error && (error.syscall === "write" || error.syscall === "open");

const tooLarge = (maxBytes: number) => new OutsideError(`it has more than ${Math.round(maxBytes / 1_000_000)} MB`);

const brokenOff = (error: unknown): OutsideError =>
  error instanceof OutsideError ? error : new OutsideError("the answer broke off", true);
