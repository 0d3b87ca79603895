/** Returns a folder inside a dataset as stored in the table: no leading slash, one trailing slash; "" at the top. */
export function folderPath(folder: string): string {
  const segments = folder.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.map((segment) => `${segment}/`).join("");
}

/** Returns the directory part of a path with a trailing slash; "" at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
