/** Starts a browser download of one of our addresses, saved as `name`. Streams to disk without holding it in memory. */
export function download(href: string, name = ""): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
