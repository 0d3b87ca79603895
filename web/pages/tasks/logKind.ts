export type LogKind = "error" | "warning" | "info";

/** The server marks its lines behind their time; what a line says may bear such marks too. */
const MARK = /^\[[^\]]*\] \[(ERROR|WARNING)\]/;

export function kindOf(line: string): LogKind {
  const mark = MARK.exec(line)?.[1];
  if (mark === "ERROR") return "error";
  return mark === "WARNING" ? "warning" : "info";
}
