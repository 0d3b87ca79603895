import { createHmac } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery that arrived. */
export interface Received {
  event: string;
  eventId: string;
  /** True if the signature fits the timestamp, the body and the receiver's secret. */
  isSigned: boolean;
  body: ReturnType<JSON["parse"]>;
  text: string;
}

/** A server that receives webhooks on loopback. */
export interface WebhookReceiver {
  url: string;
  secret: string;
  received: Received[];
  /** Responds to the next requests; by default with 204. */
  answer: (response: ServerResponse) => void;
  close(): void;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const receiver: WebhookReceiver = {
    url: "",
    secret: "a secret of the tests",
    received,
    answer: (response) => response.writeHead(204).end(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const [, timestamp = "", signature = ""] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers["x-limn-signature"])) ?? [];
    const expected = createHmac("sha256", receiver.secret).update(`${timestamp}.${text}`).digest("hex");
    received.push({
      event: String(request.headers["x-limn-event"]),
      eventId: String(request.headers["x-limn-event-id"]),
      isSigned: signature === expected && Math.abs(Date.now() / 1000 - Number(timestamp)) < 60,
      body: JSON.parse(text),
      text,
    });
    receiver.answer(response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
