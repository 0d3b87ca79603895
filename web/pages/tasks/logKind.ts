export type LogKind = "error" | "warning" | "info";

/** The server marks its lines. */
export function kindOf(line: string): LogKind {
  if (line.includes("[ERROR]")) return "error";
  return line.includes("[WARNING]") ? "warning" : "info";
}
