import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OutsideError } from "./outsideError";
import type { OutsideResponse } from "./sendRequest";

/** Reads a whole body as UTF-8 text. Throws OutsideError if it exceeds `maxBytes` or is cut off. */
export async function readText({ body }: OutsideResponse, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  await readPieces(body, maxBytes, (piece) => pieces.push(piece));
  return Buffer.concat(pieces).toString("utf8");
}

async function readPieces(
  body: OutsideResponse["body"],
  maxBytes: number,
  add: (piece: Buffer) => void,
): Promise<void> {
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      add(piece);
    }
  } catch (error) {
    body.destroy();
    throw cutOff(error);
  }
}

/** Writes a body to a file. Throws OutsideError if it exceeds `maxBytes` or is cut off; the caller removes the file. */
export async function readIntoFile({ body, headers }: OutsideResponse, file: string, maxBytes: number): Promise<void> {
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
    throw isDiskError(diskError) ? diskError : cutOff(error);
  });
}

/** Returns true if writing the file failed, e.g. because the disk is full. Otherwise the other server is at fault. */
const isDiskError = (error: Error | undefined): error is Error =>
  error !== undefined && "syscall" in error && (error.syscall === "write" || error.syscall === "open");

const tooLarge = (maxBytes: number) => new OutsideError(`it is larger than ${Math.round(maxBytes / 1_000_000)} MB`);

const cutOff = (error: unknown): OutsideError =>
  error instanceof OutsideError ? error : new OutsideError("the response was cut off", true);
