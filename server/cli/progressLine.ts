/** Milliseconds between two updates on a terminal, and between two lines in a file. */
const UPDATE_MS = 200;
const LINE_MS = 10_000;

/** A line on stderr that shows how far a command is. In a file or pipe, a line every ten seconds. */
export function progressLine(): { show(text: string): void; end(): void } {
  const { isTTY } = process.stderr;
  let shownAt = isTTY ? Number.NEGATIVE_INFINITY : performance.now();
  let isOpen = false;
  return {
    show(text) {
      if (performance.now() - shownAt < (isTTY ? UPDATE_MS : LINE_MS)) return;
      shownAt = performance.now();
      process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
      isOpen = isTTY;
    },
    end() {
      if (isOpen) process.stderr.write("\r\x1b[K");
      isOpen = false;
    },
  };
}
