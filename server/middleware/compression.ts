import { constants } from "node:zlib";
import type { Middleware } from "koa";
import compress from "koa-compress";

/** Compresses JSON and text. Pictures are compressed already, and files of the build have a .br beside them. */
export function compression(): Middleware {
  return compress({
    filter: (type) => /^(application\/(json|manifest\+json)|text\/)/.test(type),
    threshold: 1024,
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}
