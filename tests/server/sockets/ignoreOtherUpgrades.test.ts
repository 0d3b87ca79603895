import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { Server } from "socket.io";
import { io } from "socket.io-client";
import { expect, test } from "vitest";
import { ignoreOtherUpgrades } from "../../../server/sockets/ignoreOtherUpgrades";

const pem = (name: string) => readFileSync(`tests/support/tls/${name}.pem`);
const echo: RequestListener = async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  response.end(`${request.method} ${request.url} ${request.headers.upgrade} ${Buffer.concat(pieces)}.`);
};

test.each(["http", "https"])("over %s a request is served as if no other protocol had been offered", async (scheme) => {
  const isTls = scheme === "https";
  const server = isTls ? createTlsServer({ cert: pem("cert"), key: pem("key") }, echo) : createServer(echo);
  const sockets = new Server(server, { path: "/live", destroyUpgrade: false });
  ignoreOtherUpgrades(server, "/live");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const socket = isTls ? connectTls({ port, rejectUnauthorized: false }) : connect(port, "127.0.0.1");
  let answers = "";
  socket.on("data", (chunk) => {
    answers += chunk;
  });
  const offer = "Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n";
  socket.write(`POST /one HTTP/1.1\r\n${offer}Upgrade: h2c\r\nContent-Length: 7\r\n\r\nbo`);
  socket.write("dy at");
  await expect.poll(() => answers).toContain("POST /one undefined body at.");
  socket.write(`GET /two HTTP/1.1\r\n${offer}Upgrade: websocket\r\n\r\nGET /three HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(() => answers).toContain("GET /three undefined .");
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  expect(answers).toContain("GET /two undefined .");
  for (const near of ["/lively", "/live?x"]) {
    socket.write(`GET ${near} HTTP/1.1\r\n${offer}Upgrade: websocket\r\n\r\n`);
    await expect.poll(() => answers).toContain(`GET ${near} undefined .`);
  }
  socket.destroy();

  const live = io(`${scheme}://127.0.0.1:${port}`, {
    path: "/live",
    transports: ["websocket"],
    rejectUnauthorized: false,
  });
  await new Promise((resolve) => live.once("connect", () => resolve(undefined)));
  live.close();
  await sockets.close();
});
