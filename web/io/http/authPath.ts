/** Returns the path of the login page, which redirects back to the wanted page. */
export function authPath(wanted: string): string {
  return wanted === "/datasets" || wanted === "/" ? "/auth" : `/auth?redirect=${encodeURIComponent(wanted)}`;
}
