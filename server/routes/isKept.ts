import type { Context } from "koa";

/**
 * Sets the entity tag; true when the client has this already, and 304 is the answer. The client may keep what it gets, and
 * asks each time whether it is still so: rights end at once, and a change shows.
 */
export function isKept(ctx: Context, tag: string): boolean {
  ctx.status = 200;
  ctx.set("ETag", tag);
  ctx.set("Cache-Control", "private, no-cache");
  if (!ctx.fresh) return false;
  ctx.status = 304;
  return true;
}
