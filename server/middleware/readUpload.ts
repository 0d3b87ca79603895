import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "koa";
import { koaBody } from "koa-body";
import type { Call } from "../../shared/api/protocol/call";
import type { Env } from "../base/env";
import { badRequest, diskFull, HttpError, tooLarge } from "../base/errors";
import { inSlices } from "./inSlices";
import { nameOfPart } from "./nameOfPart";

/** A file of a multipart body, already written to the data folder's tmp; removed after the response unless moved. */
export interface UploadedFile {
  path: string;
  /** Name sent by the client: untrusted text, never a path to use. */
  name: string;
  bytes: number;
}

export interface Upload {
  fields: unknown;
  files: UploadedFile[];
  /** Removes the files that were not moved. */
  remove(): Promise<void>;
}

const MEGABYTE = 1_048_576;
/** Fields missing from formidable's type of a part; `transferEncoding` is the encoding of a field's text. */
interface PartDetails {
  headers: Record<string, string>;
  transferEncoding: string;
}
const MAX_FILES = 10_000;
/**
 * Maximum length of a part's Content-Disposition in bytes: enough for a path of 4,096 percent-encoded bytes and a
 * field's name.
 */
const MAX_DISPOSITION = 16_384;
/** formidable's error code for too many files; its status would be 413. */
const TOO_MANY_FILES = 1015;

/**
 * Streams a multipart body to DATA_DIR/tmp. Ignores files in fields other than the declared one. Returns the files in
 * the order of the body, not the order in which they were written. A part with a file name is a file, with or without a
 * content type (Python's requests sends none); a part without one is a field. Throws 415 for other content types, 413
 * above MAX_UPLOAD_MB, 400 if the body is not valid multipart or contains no file.
 */
export async function readUpload(ctx: Context, upload: NonNullable<Call["upload"]>, env: Env): Promise<Upload> {
  const maxBytes = env.MAX_UPLOAD_MB * MEGABYTE;
  if (!ctx.is("multipart/form-data")) throw new HttpError(415, "Send the file as multipart/form-data.");
  if (Number(ctx.get("Content-Length")) > maxBytes + MEGABYTE) throw tooLarge();
  const tmp = join(env.DATA_DIR, "tmp");
  await mkdir(tmp, { recursive: true });
  // One folder per upload, since formidable may still open a file after it has failed.
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
  /** Position of each file in the body; formidable lists files in the order in which they were finished. */
  const places = new Map<unknown, number>();
  let named = 0;
  let hasLongName = false;
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
      // By default formidable names files with hashes, which took half of the time of a form with many small files.
      filename: () => String(named++),
      filter: (part) => part.name === field,
      onFileBegin: (_, file) => void places.set(file, places.size),
      // One character per byte, so that no character of a name is lost at a chunk boundary.
      encoding: "binary",
      onPart: (part, handlePart) => {
        const whole = part as typeof part & PartDetails;
        const disposition = whole.headers["content-disposition"] ?? "";
        if (disposition.length > MAX_DISPOSITION) {
          hasLongName = true;
          return;
        }
        part.originalFilename = nameOfPart(disposition);
        part.mimetype = part.originalFilename === null ? null : (part.mimetype ?? "application/octet-stream");
        whole.transferEncoding = "utf-8";
        handlePart(part);
      },
    },
  });
  const sliced: Context = Object.create(ctx, { req: { value: inSlices(ctx.req) } });
  await Promise.race([read(sliced, async () => undefined), rejectOnAbort(ctx.req)]);
  if (hasLongName) throw badRequest("The name of a file or field is too long.");
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

/** Rejects when the client disconnects, even before formidable listens: formidable would then wait forever. */
function rejectOnAbort(req: Context["req"]): Promise<never> {
  return new Promise((_, reject) => {
    const onClose = () => {
      if (!req.complete) reject(badRequest("The upload was interrupted."));
    };
    if (req.destroyed) onClose();
    else req.once("close", onClose);
  });
}

/** Converts formidable's errors, which have a `httpCode`; their messages are not suitable for users. */
function errorOfForm(error: unknown): unknown {
  if (!(error instanceof Error) || !("httpCode" in error)) return error;
  if ("code" in error && error.code === TOO_MANY_FILES)
    return badRequest(`Too many files were sent at once: ${MAX_FILES} at most.`);
  if (error.httpCode === 413) return tooLarge();
  return badRequest("The upload cannot be read.");
}
