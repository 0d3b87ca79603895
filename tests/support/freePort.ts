import { createServer } from "node:net";

/**
 * Ports below those that Linux (32768 and up) and macOS (49152 and up) give to outgoing connections: such a connection
 * could take a port between the look and the start of the server for which it was chosen, or while that server
 * restarts.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Returns a port of loopback that nothing listens on. */
export const freePort = (): Promise<number> => freePorts(1);

/** Returns the first of several free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST - count));
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)));
    if (free.every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
