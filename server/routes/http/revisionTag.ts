import type { Context } from "koa";

/** Sets the entity tag of something with a revision: that number in quotes, so that scripts can make it of the answer. */
export function tagRevision<T extends { revision: number }>(ctx: Context, shown: T): T {
  ctx.set("ETag", `"${shown.revision}"`);
  return shown;
}

/**
 * Returns the check of the request's `If-Match` (RFC 9110, section 13.1.1): true for a revision that it names, and for
 * any where the header is absent or `*`. A tag that a proxy has made a weak one counts as well.
 */
export function expectedRevision(ctx: Context): (revision: number) => boolean {
  const header = ctx.get("If-Match").trim();
  if (header === "" || header === "*") return () => true;
  const named = new Set(header.split(",").map((tag) => tag.trim().replace(/^W\//, "")));
  return (revision) => named.has(`"${revision}"`);
}
