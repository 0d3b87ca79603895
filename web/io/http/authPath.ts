/** Returns the path of the login page, which redirects to the wanted page after the login. */
export function authPath(wanted: string): string {
  return wanted === "/datasets" || wanted === "/" ? "/auth" : `/auth?redirect=${encodeURIComponent(wanted)}`;
}
