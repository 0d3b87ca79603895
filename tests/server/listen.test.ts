import { once } from "node:events";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { closeWebServer, listen, makeWebServer } from "../../server/listen";

test("closing ends after the grace period, even with a connection that speaks another protocol", async () => {
  const server = makeWebServer({});
  const port = await listen(server, { HOST: "127.0.0.1", PORT: 0 });
  const upgraded = once(server, "upgrade") as Promise<[unknown, Duplex]>;
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tea\r\n\r\n");
  const [, serverSide] = await upgraded;
  await closeWebServer(server, 10);
  expect(serverSide.destroyed).toBe(true);
  socket.destroy();
});
