import Stream, { Readable } from "node:stream";
import { constants } from "node:zlib";
import type { Context, Middleware } from "koa";
import compress from "koa-compress";

/** Compresses JSON and text. Images are already compressed, and files of the build have precompressed .br versions. */
export function compression(): Middleware {
  const compressed = compress({
    filter: (type) => /^(application\/(json|manifest\+json)|text\/)/.test(type),
    threshold: 1024,
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  return async (ctx, next) => {
    if (isOnThisMachine(ctx)) return next();
    let source: unknown;
    await compressed(ctx, async () => {
      await next();
      source = ctx.body;
    });
    passErrors(source, ctx.body);
  };
}

/**
 * Ends the compressed stream with the error of its source. `pipe` alone would leave the stream open, and the client
 * waiting forever.
 */
function passErrors(source: unknown, compressed: unknown): void {
  if (!(source instanceof Readable) || !(compressed instanceof Stream.Duplex)) return;
  source.on("error", (error) => compressed.destroy(error));
}

/** Returns true for requests over loopback without a proxy: there, compressing takes longer than sending. */
function isOnThisMachine({ headers, socket }: Context): boolean {
  if (headers.forwarded || headers["x-forwarded-for"] || headers.via) return false;
  return /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
}
