import type { Context } from "koa";
import { withoutControl } from "../files/paths/safePath";

/**
 * Names an answer that is a file (RFC 6266): in full for clients of today, and without the letters beyond ASCII for
 * others. A name is no path, and has no control characters: it may have been stored before they were refused.
 */
export function sendAs(ctx: Context, name: string, type: "attachment" | "inline" = "attachment"): void {
  const plain = withoutControl(name).replaceAll(/[/\\]/g, "-");
  ctx.attachment(plain, { type, fallback: plain.replaceAll(/[^\x20-\x7e]/g, "_") });
}
