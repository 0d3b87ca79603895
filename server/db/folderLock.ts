import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigurationError } from "../errors";

/**
 * One process at a time per data folder. The lock is a local socket in the folder on which the holder listens: the
 * system closes it when the holder dies, however it dies, so a dead holder is told from a living one without looking at
 * process numbers. Not for network file systems.
 */
export interface FolderLock {
  /** Answers a one-line command of another process, see askHolder. */
  answer(command: string, act: () => Promise<string>): void;
  release(): Promise<void>;
}

const TRIES = 5;
/** Longest path of a local socket that every system takes. */
const MAX_SOCKET_PATH = 100;

/** Throws ConfigurationError when another process holds the folder. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true });
  const path = socketPath(folder);
  const commands = new Map<string, () => Promise<string>>();
  for (let tries = 0; tries < TRIES; tries++) {
    const server = await listen(path, (socket) => serve(socket, commands));
    if (server && (await isStillOurs(path, tries > 0))) {
      server.unref();
      return { answer: (command, act) => commands.set(command, act), release: () => close(server) };
    }
    server?.close();
    if (await isAlive(path)) break;
    removeStale(path);
  }
  throw new ConfigurationError(`The data folder ${folder} is in use by another Limn process. Stop it first.`);
}

/**
 * Sends a command to the process that holds the folder. Undefined when none does; throws what the holder says when it
 * cannot.
 */
export async function askHolder(folder: string, command: string): Promise<string | undefined> {
  const socket = await reach(socketPath(folder));
  if (!socket) return undefined;
  socket.setEncoding("utf8").end(`${command}\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  const answer: { ok?: string; error?: string } = JSON.parse(text || "{}");
  if (answer.ok === undefined) throw new Error(answer.error ?? "the running server gave no answer");
  return answer.ok;
}

function socketPath(folder: string): string {
  const real = realpathSync(folder);
  const name = createHash("sha256").update(real).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\limn-${name}`;
  const path = join(real, ".lock.sock");
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `limn-${name}.sock`);
}

/** Undefined when the path is taken. */
function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onConnection);
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => {
      if (process.platform !== "win32") chmodSync(path, 0o600);
      resolve(server);
    });
  });
}

/**
 * Two processes that remove the same stale socket at once could both listen, one of them on a path that is gone. Whoever
 * took over looks again a moment later.
 */
async function isStillOurs(path: string, tookOver: boolean): Promise<boolean> {
  if (!tookOver || process.platform === "win32") return true;
  const before = stamp(path);
  await wait(150);
  return before === stamp(path);
}

function stamp(path: string): string {
  const { ino, ctimeNs } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
  return `${ino} ${ctimeNs}`;
}

function removeStale(path: string): void {
  if (process.platform !== "win32") rmSync(path, { force: true });
}

async function isAlive(path: string): Promise<boolean> {
  const socket = await reach(path);
  socket?.destroy();
  return socket !== undefined;
}

function reach(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => resolve(undefined));
  });
}

async function serve(socket: Socket, commands: ReadonlyMap<string, () => Promise<string>>): Promise<void> {
  socket.on("error", () => socket.destroy());
  socket.setEncoding("utf8").setTimeout(60_000, () => socket.destroy());
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (text.length > 1_000) break;
  }
  const act = commands.get(text.trim());
  if (!act) return void socket.end(JSON.stringify({ error: "The running Limn process does not know this command." }));
  socket.setTimeout(0);
  const answer = await act().then(
    (ok) => ({ ok }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  socket.end(JSON.stringify(answer));
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
