import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Client } from "./client";

/** A user who continues working while another user keeps the server busy. */
export interface Bystander {
  /**
   * Category of the outline that is saved before each opening. Without a category, the bystander only opens the image.
   */
  categoryId?: number;
  imageId: number;
  /** Milliseconds between an opening and the next request. */
  pauseMs: number;
}

export interface Seen {
  /** Milliseconds of each request. */
  times: number[];
  failed: number;
}

/**
 * Starts the bystander in a separate process, so that load on the measuring process is not measured. Resolves after the
 * first response, with a function that ends it.
 */
export async function startBystander(
  { url, headers }: Pick<Client, "url" | "headers">,
  what: Bystander,
): Promise<{ end(): Promise<Seen> }> {
  const file = fileURLToPath(new URL("./bystanderProcess.ts", import.meta.url));
  const child = fork(file, [JSON.stringify({ url, headers, ...what })], { execArgv: ["--import", "tsx"] });
  await once(child, "message");
  return {
    async end() {
      child.send("end");
      const [seen] = (await once(child, "message")) as [Seen];
      return seen;
    },
  };
}
