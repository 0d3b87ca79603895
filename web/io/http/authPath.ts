/** Returns the path of the login page, from which the user comes back to the wanted page. */
export function authPath(wanted: string): string {
  return wanted === "/datasets" || wanted === "/" ? "/auth" : `/auth?redirect=${encodeURIComponent(wanted)}`;
}
