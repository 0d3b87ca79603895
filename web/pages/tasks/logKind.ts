export type LogKind = "error" | "warning" | "info";

/** Matches the server's mark only right after the time, because the message may contain the same text. */
const MARK = /^\[[^\]]*\] \[(ERROR|WARNING)\]/;

export function kindOf(line: string): LogKind {
  const mark = MARK.exec(line)?.[1];
  if (mark === "ERROR") return "error";
  return mark === "WARNING" ? "warning" : "info";
}
