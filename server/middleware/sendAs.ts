import type { Context } from "koa";

/**
 * Names an answer that is to be saved as a file (RFC 6266): in full for clients of today, and without the letters beyond
 * ASCII for others. A name is no path.
 */
export function sendAs(ctx: Context, name: string): void {
  const plain = name.replaceAll(/[/\\]/g, "-");
  ctx.attachment(plain, { fallback: plain.replaceAll(/[^\x20-\x7e]/g, "_") });
}
