import type { Context } from "koa";
import { withoutControl } from "../files/paths/safePath";

/**
 * Sets the file name of a response (RFC 6266): in full for current clients, in ASCII for others. Replaces slashes, and
 * control characters, which names stored by older versions may contain.
 */
export function setFileName(ctx: Context, name: string, type: "attachment" | "inline" = "attachment"): void {
  const plain = withoutControl(name).replaceAll(/[/\\]/g, "-");
  ctx.attachment(plain, { type, fallback: plain.replaceAll(/[^\x20-\x7e]/g, "_") });
}
