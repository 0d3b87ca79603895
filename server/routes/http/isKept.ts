import type { Context } from "koa";

/**
 * Sets the entity tag; true when the client has this already, and 304 is the answer. The client may keep what it gets, and
 * asks each time whether it is still so: rights end at once, and a change shows. `Cache-Control: no-cache` in the request
 * is for caches on the way, and changes nothing here (RFC 9111, section 5.2.1.4); Node's fetch adds it.
 */
export function isKept(ctx: Context, tag: string): boolean {
  ctx.status = 200;
  ctx.set("ETag", tag);
  ctx.set("Cache-Control", "private, no-cache");
  if (!isAmong(tag, ctx.get("If-None-Match"))) return false;
  ctx.status = 304;
  return true;
}

/** RFC 9110, section 13.1.2: weak comparison with a list of tags, or with any. */
function isAmong(tag: string, list: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, "");
  return list.split(",").some((each) => each.trim() === "*" || opaque(each) === opaque(tag));
}
