export type LogKind = "error" | "warning" | "info";

/**
 * The server's mark comes right after the time. The message itself may contain the same text, so only this place
 * counts.
 */
const MARK = /^\[[^\]]*\] \[(ERROR|WARNING)\]/;

export function kindOf(line: string): LogKind {
  const mark = MARK.exec(line)?.[1];
  if (mark === "ERROR") return "error";
  return mark === "WARNING" ? "warning" : "info";
}
