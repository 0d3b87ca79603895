import type { Context } from "koa";

/**
 * Sets the entity tag. Sets status 304 and returns true if the client already has this version. The client may cache
 * the response but must revalidate it each time, so that lost rights and changes take effect at once. `Cache-Control:
 * no-cache` in the request, which Node's fetch adds, is meant for intermediate caches and is ignored here (RFC 9111,
 * section 5.2.1.4).
 */
export function isNotModified(ctx: Context, tag: string): boolean {
  ctx.status = 200;
  ctx.set("ETag", tag);
  ctx.set("Cache-Control", "private, no-cache");
  if (!isAmong(tag, ctx.get("If-None-Match"))) return false;
  ctx.status = 304;
  return true;
}

/** Compares a tag weakly with a list of tags or `*` (RFC 9110, section 13.1.2). */
function isAmong(tag: string, list: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, "");
  return list.split(",").some((each) => each.trim() === "*" || opaque(each) === opaque(tag));
}
