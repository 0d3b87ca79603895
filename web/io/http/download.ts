/** Lets the browser download an address of ours under `name`; it streams to disk, nothing is held in memory. */
export function download(href: string, name = ""): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
