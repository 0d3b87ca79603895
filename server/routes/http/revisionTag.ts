import type { Context } from "koa";

/**
 * Sets the entity tag to the revision in quotes, so that scripts can derive the tag from the response. Returns `shown`.
 */
export function tagRevision<T extends { revision: number }>(ctx: Context, shown: T): T {
  ctx.set("ETag", `"${shown.revision}"`);
  return shown;
}

/**
 * Returns the check of the request's `If-Match` (RFC 9110, section 13.1.1): true for a revision that it names, and for
 * every revision if the header is absent or `*`. Accepts tags that a proxy has made weak.
 */
export function expectedRevision(ctx: Context): (revision: number) => boolean {
  const header = ctx.get("If-Match").trim();
  if (header === "" || header === "*") return () => true;
  const named = new Set(header.split(",").map((tag) => tag.trim().replace(/^W\//, "")));
  return (revision) => named.has(`"${revision}"`);
}
