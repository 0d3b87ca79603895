import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "koa";
import { koaBody } from "koa-body";
import type { Call } from "../../shared/api/protocol/call";
import type { Env } from "../base/env";
import { badRequest, diskFull, HttpError, tooLarge } from "../base/errors";
import { nameOfPart } from "./nameOfPart";

/** A file of a multipart body, already written under the data folder's tmp; removed after the answer unless moved. */
export interface UploadedFile {
  path: string;
  /** As the client named it: text, never a path to use. */
  name: string;
  bytes: number;
}

export interface Upload {
  fields: unknown;
  files: UploadedFile[];
  /** Removes what was not moved away. */
  remove(): Promise<void>;
}

const MEGABYTE = 1_048_576;
/** Fields that formidable's type of a part leaves out; `transferEncoding` is how a field's text is read. */
interface PartAsItIs {
  headers: Record<string, string>;
  transferEncoding: string;
}
const MAX_FILES = 10_000;
/** formidable's code; it calls this too large. */
const TOO_MANY_FILES = 1015;

/**
 * Streams a multipart body to DATA_DIR/tmp. Files in other fields than the declared one are dropped. Throws 415 for other
 * content types, 413 beyond MAX_UPLOAD_MB, 400 for what is no multipart body and where no file came. Files are in the
 * order of the body, and not in that in which they were written. A part with a file name is a file, whether or not it
 * has a content type (Python's requests sends none), and one without is a field.
 */
export async function readUpload(ctx: Context, upload: NonNullable<Call["upload"]>, env: Env): Promise<Upload> {
  const maxBytes = env.MAX_UPLOAD_MB * MEGABYTE;
  if (!ctx.is("multipart/form-data")) throw new HttpError(415, "Send the file as multipart/form-data.");
  if (Number(ctx.get("Content-Length")) > maxBytes + MEGABYTE) throw tooLarge();
  const tmp = join(env.DATA_DIR, "tmp");
  await mkdir(tmp, { recursive: true });
  // A folder each, since formidable may still open a file after it has given up.
  const folder = await mkdtemp(join(tmp, "upload-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    return { ...(await parse(ctx, upload, folder, maxBytes)), remove };
  } catch (error) {
    await remove();
    throw errorOfForm(error);
  }
}

async function parse(ctx: Context, { field, many }: NonNullable<Call["upload"]>, uploadDir: string, maxBytes: number) {
  /** Number of each file in the body; formidable lists them as they were finished. */
  const places = new Map<unknown, number>();
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    patchNode: false,
    formidable: {
      uploadDir,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      maxFiles: many ? MAX_FILES : 1,
      maxFields: 2 * MAX_FILES,
      maxFieldsSize: 8 * MEGABYTE,
      allowEmptyFiles: true,
      minFileSize: 0,
      filter: (part) => part.name === field,
      onFileBegin: (_, file) => void places.set(file, places.size),
      // A byte a character, so that no letter of a name is lost where the body is cut into pieces.
      encoding: "binary",
      onPart: (part, handlePart) => {
        const whole = part as typeof part & PartAsItIs;
        part.originalFilename = nameOfPart(whole.headers["content-disposition"] ?? "");
        part.mimetype = part.originalFilename === null ? null : (part.mimetype ?? "application/octet-stream");
        whole.transferEncoding = "utf-8";
        handlePart(part);
      },
    },
  });
  await Promise.race([read(ctx, async () => undefined), brokenOff(ctx.req)]);
  const files = [ctx.request.files?.[field] ?? []]
    .flat()
    .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    .map((file) => ({ path: file.filepath, name: file.originalFilename ?? "", bytes: file.size }));
  if (files.length === 0) throw badRequest("No file was sent.", { [field]: "Missing an uploaded file" });
  await requireStored(files);
  return { fields: { ...(ctx.request.body as object | undefined) }, files };
}

/**
 * Throws if a file is incomplete on disk: when the disk is full, formidable may finish without an error and count bytes
 * that it could not write.
 */
export async function requireStored(files: readonly Pick<UploadedFile, "path" | "bytes">[]): Promise<void> {
  for (const { path, bytes } of files) if ((await stat(path)).size !== bytes) throw diskFull();
}

/** Rejects when the client goes away, also when it was gone before formidable listened: that would wait for ever. */
function brokenOff(req: Context["req"]): Promise<never> {
  return new Promise((_, reject) => {
    const tell = () => {
      if (!req.complete) reject(badRequest("The upload broke off."));
    };
    if (req.destroyed) tell();
    else req.once("close", tell);
  });
}

/** formidable's errors bear a `httpCode`; its texts are for programmers. */
function errorOfForm(error: unknown): unknown {
  if (!(error instanceof Error) || !("httpCode" in error)) return error;
  if ("code" in error && error.code === TOO_MANY_FILES)
    return badRequest("More files were sent than are taken at once.");
  if (error.httpCode === 413) return tooLarge();
  return badRequest("The upload cannot be read.");
}
