import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a PostgreSQL server on which connections wait until `forward` is called. */
export interface HeldConnections {
  url: string;
  forward(): void;
  close(): void;
}

/** `url` is the database's address over TCP. */
export async function holdConnections(url: string): Promise<HeldConnections> {
  const { hostname, port } = new URL(url);
  const waiting: Socket[] = [];
  let isOpen = false;
  const forward = (socket: Socket) => {
    const database = connect(Number(port), hostname);
    socket.pipe(database).pipe(socket);
    for (const end of [socket, database]) end.on("error", () => end.destroy());
  };
  const server = createServer((socket) => (isOpen ? forward(socket) : void waiting.push(socket)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const held = new URL(url);
  held.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: held.href,
    forward() {
      isOpen = true;
      for (const socket of waiting) forward(socket);
    },
    close: () => void server.close(),
  };
}
