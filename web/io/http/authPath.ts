/** Where one logs in, to come back to the page that was wanted. */
export function authPath(wanted: string): string {
  return wanted === "/datasets" || wanted === "/" ? "/auth" : `/auth?redirect=${encodeURIComponent(wanted)}`;
}
