import { createHash } from "node:crypto";
import { open, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { type Manifest, manifestPathOf, parseManifest } from "../../model/dextr/manifest";
import { NAMES } from "../../model/dextr/signature";
import { codeOf } from "../base/errors";
import { CannotOpen } from "./failure";

/** A model's file as first read. Only this content is used, even if the file changes later. */
export interface ModelFile {
  file: string;
  sha256: string;
  bytes: number;
  modifiedMs: number;
  /**
   * Width and height in pixels of the square crops that the model was trained on; null if no manifest states them.
   */
  size: number | null;
}

/**
 * Reads a model's file. Throws CannotOpen if it cannot be read, or does not match the manifest next to it
 * (`name.json`).
 */
export async function readModelFile(file: string): Promise<ModelFile> {
  const named = await readManifest(file);
  const { mtimeMs } = await stat(file).catch(unreadable);
  const content = await readFile(file).catch(unreadable);
  const sha256 = sha256Of(content);
  if (named && named.sha256 !== sha256)
    throw new CannotOpen(`It is not the file that ${named.name} next to it describes.`, false);
  return { file, sha256, bytes: content.length, modifiedMs: mtimeMs, size: named?.size ?? null };
}

export const sha256Of = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Reads the manifest next to a model's file; returns undefined if there is none. */
async function readManifest(file: string): Promise<(Manifest & { name: string }) | undefined> {
  const path = manifestPathOf(file);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const name = basename(path);
  const found = parsed(text, name);
  for (const kind of ["input", "output"] as const)
    if (found[kind] !== NAMES[kind])
      throw new CannotOpen(`${name} next to it calls the ${kind} "${found[kind]}" instead of "${NAMES[kind]}".`, false);
  return { ...found, name };
}

function parsed(text: string, name: string): Manifest {
  try {
    return parseManifest(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new CannotOpen(`${name} next to it is not a valid manifest (${why}).`, false);
  }
}

function unreadable(error: unknown): never {
  throw new CannotOpen(`It cannot be read (${codeOf(error)}).`, false);
}

/**
 * Opens the file's content; returns undefined if it has changed or is gone. The caller must read or destroy the stream.
 */
export async function openModelFile({ file, bytes, modifiedMs }: ModelFile): Promise<Readable | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return undefined;
  const state = await handle.stat();
  if (state.size === bytes && state.mtimeMs === modifiedMs) return handle.createReadStream();
  await handle.close();
  return undefined;
}
