/** Lets the browser download an address of ours under `name`; it streams to disk, nothing is held in memory. */
export function download(href: string, name = ""): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves a text made here as a file. */
export function downloadText(text: string, name: string, type = "application/json"): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  download(href, name);
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
