import type { Bed } from "./bed";
import type { Client } from "./client";
import type { Figure } from "./figures";
import { withTwoUsers } from "./secondUser";
import { type StallBody, stallBodies } from "./stallBodies";

/**
 * Sends the bodies of stallBodies one after another while a second user saves and opens an image continuously. Measures
 * how long that user waits, how long the server's event loop is blocked, and how much memory it uses.
 */
export async function stalls(bed: Pick<Bed, "kind" | "server">): Promise<Figure[]> {
  return withTwoUsers(bed, { large: [9000, 9000], small: [640, 480] }, async ({ first, hers, during }) => {
    const figures: Figure[] = [];
    for (const body of stallBodies(hers.image("large"), hers.image("small"), hers.category)) {
      const made = body.make ? { ...body, body: await body.make(first.send.bind(first)) } : body;
      figures.push(await during(`one sends ${body.what}`, () => send(first, made)));
    }
    return figures;
  });
}

/** Returns status and milliseconds. */
async function send(client: Client, { method, path, body }: StallBody): Promise<string> {
  const json = JSON.stringify(body);
  const start = performance.now();
  const headers = { ...client.headers, "Content-Type": "application/json" };
  const response = await fetch(`${client.url}api/${path}`, { method, body: json, headers });
  await response.arrayBuffer();
  return `${response.status} in ${(performance.now() - start).toFixed(0)} ms`;
}
