import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigurationError, StoppedError } from "../../base/errors";

/**
 * Lock that admits one process at a time to a data folder. It is a local socket in the folder on which the holder
 * listens. The system closes it however the holder dies, so no process ids are needed to detect a dead holder. Does not
 * work on network file systems.
 */
export interface FolderLock {
  /** File of the socket; undefined on Windows, where it is a named pipe. */
  readonly file: string | undefined;
  /** Registers the handler of a one-line command from another process, see askHolder. */
  onCommand(command: string, act: () => Promise<string>): void;
  /** Makes processes that want the folder wait: this one will end soon. */
  announceEnd(): void;
  release(): void;
}

/** A process that wants to lock the folder. */
export interface Applicant {
  /** Name in messages of other processes, e.g. "npm run backup". */
  name: string;
  /** True for a command: it ends by itself. */
  endsSoon: boolean;
  /** Called when the process starts to wait for a holder that will soon end. If absent, the process does not wait. */
  onWait?: (line: string) => void;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** The process that holds the folder, as described by itself. */
interface Holder {
  name: string;
  pid: number;
  endsSoon: boolean;
}

const PATIENCE_MS = 10_000;
/** Age after which a Turn counts as abandoned; a takeover takes milliseconds. */
const LEFT_MS = 5_000;
/** Delay between two attempts to lock the folder while its holder is about to end. */
const WAIT_MS = 200;
const IDENTIFY = "who";
const UNNAMED: Applicant = { name: "another Limn process", endsSoon: false };
/** Longest path of a local socket that every system accepts. */
const MAX_SOCKET_PATH = 100;

/**
 * Locks the folder. Waits for a holder that will soon end (a backup, a stopping server) if the applicant has `onWait`.
 * Throws ConfigurationError if another process holds the folder.
 */
export async function lockFolder(folder: string, applicant: Applicant = UNNAMED): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true });
  const path = socketPath(folder);
  const self: Holder = { name: applicant.name, pid: process.pid, endsSoon: applicant.endsSoon };
  const commands = new Map([[IDENTIFY, async () => JSON.stringify(self)]]);
  const onConnection = (socket: Socket) => void serve(socket, commands);
  const take = async () => (await listen(path, onConnection)) ?? (await takeOver(path, onConnection));
  const server = (await take()) ?? (await waitFor(folder, applicant, take));
  server.unref();
  return {
    file: process.platform === "win32" ? undefined : path,
    onCommand: (command, act) => commands.set(command, act),
    announceEnd: () => {
      self.endsSoon = true;
    },
    release: () => void server.close(),
  };
}

async function waitFor(
  folder: string,
  { onWait, signal }: Applicant,
  take: () => Promise<Server | undefined>,
): Promise<Server> {
  for (let isReported = false; !signal?.aborted; await wait(WAIT_MS)) {
    const holder = await identifyHolder(folder);
    if (holder && (!holder.endsSoon || !onWait)) throw inUse(folder, holder);
    if (holder && !isReported) {
      onWait?.(`Waiting for ${holder.name} (process ${holder.pid}), which uses the data folder ${folder}.`);
      isReported = true;
    }
    const server = await take();
    if (server) return server;
  }
  throw new StoppedError(`Stopped while waiting for the data folder ${folder}.`);
}

/**
 * Returns the holder; undefined if no process holds the folder any more. Processes of an older Limn do not identify
 * themselves.
 */
async function identifyHolder(folder: string): Promise<Holder | undefined> {
  try {
    const text = await askHolder(folder, IDENTIFY);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return (await isAlive(socketPath(folder))) ? { name: "another Limn process", pid: 0, endsSoon: false } : undefined;
  }
}

function inUse(folder: string, { name, pid, endsSoon }: Holder): ConfigurationError {
  return new ConfigurationError(
    endsSoon
      ? `The data folder ${folder} is in use by ${name} (process ${pid}). Wait until it has ended.`
      : `The data folder ${folder} is in use by another Limn process. Stop it first.`,
  );
}

/**
 * Sends a command to the process that holds the folder and returns its reply; undefined if no process holds it. Throws
 * the holder's error.
 */
export async function askHolder(folder: string, command: string): Promise<string | undefined> {
  const socket = existsSync(folder) ? await reach(socketPath(folder)) : undefined;
  if (!socket) return undefined;
  socket.setEncoding("utf8").end(`${command}\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  const answer: { ok?: string; error?: string } = JSON.parse(text || "{}");
  if (answer.ok === undefined) throw new Error(answer.error ?? "the running server did not respond");
  return answer.ok;
}

function socketPath(folder: string): string {
  const real = realpathSync(folder);
  const name = createHash("sha256").update(real).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\limn-${name}`;
  const path = join(real, ".lock.sock");
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `limn-${name}.sock`);
}

/** Listens on the path; returns undefined if it is taken. */
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
 * Takes over the path of a dead holder; returns undefined if the holder is alive. Only one process may try at a time,
 * otherwise one could remove another's new socket.
 */
async function takeOver(path: string, onConnection: (socket: Socket) => void): Promise<Server | undefined> {
  const turn = new Turn(`${path}.turn`);
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await wait(20)) {
    if (await isAlive(path)) return undefined;
    if (!turn.take()) continue;
    try {
      if (await isAlive(path)) return undefined;
      rmSync(path, { force: true });
      return await listen(path, onConnection);
    } finally {
      turn.release();
    }
  }
  return undefined;
}

/**
 * Mutex between processes: a folder that only one process can create. A folder that stays was left by a process that
 * died. Each process measures the folder's age itself instead of reading it from the file system, since system clocks
 * may change.
 */
class Turn {
  private seen: { folder: string; since: number } | undefined;

  constructor(private readonly path: string) {}

  take(): boolean {
    if (this.isLeft()) this.release();
    try {
      mkdirSync(this.path);
      return true;
    } catch {
      return false;
    }
  }

  release(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private isLeft(): boolean {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    const folder = stats && `${stats.ino} ${stats.ctimeNs}`;
    if (folder === undefined) this.seen = undefined;
    else if (this.seen?.folder !== folder) this.seen = { folder, since: performance.now() };
    return this.seen !== undefined && performance.now() - this.seen.since > LEFT_MS;
  }
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
  socket.on("error", () => socket.destroy()).unref();
  socket.setEncoding("utf8").setTimeout(60_000, () => socket.destroy());
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
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
