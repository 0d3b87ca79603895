import { createHash } from "node:crypto";
import type { Context } from "koa";
import { HttpError, notFound } from "../../base/errors";
import type { ImageRow } from "../../db/schema";
import { MIME } from "../../files/decode/imageType";
import type { StoredImage } from "../../files/decode/readUpright";
import type { ViewSize } from "../../files/decode/views";
import type { ImageFiles } from "../../files/imageFiles";
import { ImageError } from "../../files/paths/imageError";
import type { FileState, OpenFile } from "../../files/paths/openImageFile";
import { setFileName } from "../../middleware/setFileName";
import { isNotModified } from "./isNotModified";

/** An image's row with the folder of its dataset. */
type Source = StoredImage & { file_name: string };
/** A source with the size and time of its file when the file was hashed. */
type StoredSource = Source & Pick<ImageRow, "bytes" | "modified_ms">;

export const GONE = "The image's file no longer exists.";

/**
 * Sends the file as it is on disk, or the requested range of bytes, with the hash of the whole file (RFC 9530) if it is
 * still the file that was hashed.
 */
export async function sendStored(ctx: Context, images: ImageFiles, source: StoredSource, asAttachment: boolean) {
  const file = await images.open(source.folder, source.path);
  if (!file) throw notFound(GONE);
  protect(ctx, source.file_name, source.mime, asAttachment);
  ctx.set("Accept-Ranges", "bytes");
  if (isUnchanged(ctx, `${source.hash}-${file.bytes}-${file.modifiedMs}`)) return file.close();
  if (ctx.method === "HEAD") {
    ctx.length = file.bytes;
    await file.close();
  } else await sendRange(ctx, file);
  if (isAsHashed(file, source))
    ctx.set("Repr-Digest", `sha-256=:${Buffer.from(source.hash, "hex").toString("base64")}:`);
}

/** Returns true if the file has not changed since its hash was computed. */
const isAsHashed = (file: FileState, { bytes, modified_ms }: StoredSource): boolean =>
  file.bytes === bytes && file.modifiedMs === modified_ms;

/** Sends the upright image, scaled down according to `size`. */
export async function sendView(
  ctx: Context,
  images: ImageFiles,
  source: Source,
  size: ViewSize,
  asAttachment: boolean,
): Promise<void> {
  const view = await images.view(source, size);
  if (!view) throw notFound(GONE);
  const name = source.file_name.replace(/\.[^.]*$/, "") + (view.mime === MIME.png ? ".png" : ".jpg");
  if (isUnchanged(ctx, view.tag)) return protect(ctx, name, view.mime, asAttachment);
  const content = await view.content().catch((error) => {
    throw decodeErrorForUser(error);
  });
  protect(ctx, name, view.mime, asAttachment);
  if (Buffer.isBuffer(content)) ctx.body = content;
  else await sendAll(ctx, content);
}

/** Returns a 404 for an image that cannot be decoded; returns other errors unchanged. */
export const decodeErrorForUser = (error: unknown): unknown =>
  error instanceof ImageError ? notFound(`The image cannot be shown: ${error.message}.`) : error;

/** Sets headers that prevent an uploaded file from running code: no sniffing, no scripts, no framing by other sites. */
function protect(ctx: Context, name: string, mime: string, asAttachment: boolean): void {
  setFileName(ctx, name, asAttachment ? "attachment" : "inline");
  ctx.set("Content-Type", mime);
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Content-Security-Policy", "default-src 'none'; sandbox");
}

const isUnchanged = (ctx: Context, state: string): boolean =>
  isNotModified(ctx, `"${createHash("sha256").update(state).digest("base64url").slice(0, 27)}"`);

/** Sends one range of bytes; for several or malformed ranges, sends the whole file (RFC 9110, section 14). */
async function sendRange(ctx: Context, file: OpenFile): Promise<void> {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(ctx.get("Range")) ?? [];
  const isBackwards = first !== "" && last !== "" && Number(first) > Number(last);
  const isValid = (first !== "" || last !== "") && !isBackwards && ifRangeHolds(ctx);
  if (!isValid) return sendAll(ctx, file);
  const start = first === "" ? Math.max(0, file.bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? file.bytes - 1 : Math.min(Number(last), file.bytes - 1);
  if (start > end) {
    await file.close();
    throw new HttpError(416, "The file has no such range of bytes.", {
      headers: { "Content-Range": `bytes */${file.bytes}` },
    });
  }
  ctx.body = await file.stream(start, end);
  ctx.status = 206;
  ctx.length = end - start + 1;
  ctx.set("Content-Range", `bytes ${start}-${end}/${file.bytes}`);
}

const ifRangeHolds = (ctx: Context) => ["", ctx.response.get("ETag")].includes(ctx.get("If-Range"));

async function sendAll(ctx: Context, file: OpenFile): Promise<void> {
  if (ctx.method === "HEAD") {
    ctx.length = file.bytes;
    return file.close();
  }
  ctx.body = await file.stream(0, Math.max(0, file.bytes - 1));
  ctx.length = file.bytes;
}
