import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigurationError, StoppedError } from "../../base/errors";

/**
 * One process at a time per data folder. The lock is a local socket in the folder on which the holder listens: the
 * system closes it when the holder dies, however it dies, so a dead holder is told from a living one without looking at
 * process numbers. Not for network file systems.
 */
export interface FolderLock {
  /** File of the socket; undefined where the system has no such files. */
  readonly file: string | undefined;
  /** Replies to a one-line command of another process, see askHolder. */
  answer(command: string, act: () => Promise<string>): void;
  /** Asks processes that want the folder to wait: this one will end soon. */
  announceEnd(): void;
  release(): void;
}

/** The process that wants the folder. */
export interface Applicant {
  /** Name in messages to others, e.g. "npm run backup". */
  name: string;
  /** True for a command: it ends by itself. */
  endsSoon: boolean;
  /** Called when it begins to wait for a holder that ends soon. Absent: it does not wait. */
  onWait?: (line: string) => void;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** The process that has the folder, by its own words. */
interface Holder {
  name: string;
  pid: number;
  endsSoon: boolean;
}

const PATIENCE_MS = 10_000;
/** A turn takes milliseconds. */
const LEFT_MS = 5_000;
/** Between two tries to get the folder from a holder that ends soon. */
const WAIT_MS = 200;
const WHO = "who";
const NOBODY_SPECIAL: Applicant = { name: "another Limn process", endsSoon: false };
/** Longest path of a local socket that every system takes. */
const MAX_SOCKET_PATH = 100;

/**
 * Takes the folder. Waits for a holder that ends soon (a backup, a server that stops) where the applicant is patient.
 * Throws ConfigurationError when another process holds the folder.
 */
export async function lockFolder(folder: string, applicant: Applicant = NOBODY_SPECIAL): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true });
  const path = socketPath(folder);
  const self: Holder = { name: applicant.name, pid: process.pid, endsSoon: applicant.endsSoon };
  const commands = new Map([[WHO, async () => JSON.stringify(self)]]);
  const onConnection = (socket: Socket) => void serve(socket, commands);
  const take = async () => (await listen(path, onConnection)) ?? (await takeOver(path, onConnection));
  const server = (await take()) ?? (await waitFor(folder, applicant, take));
  server.unref();
  return {
    file: process.platform === "win32" ? undefined : path,
    answer: (command, act) => commands.set(command, act),
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
  for (let told = false; !signal?.aborted; await wait(WAIT_MS)) {
    const holder = await askWho(folder);
    if (holder && (!holder.endsSoon || !onWait)) throw inUse(folder, holder);
    if (holder && !told) {
      onWait?.(`Waiting for ${holder.name} (process ${holder.pid}), which uses the data folder ${folder}.`);
      told = true;
    }
    const server = await take();
    if (server) return server;
  }
  throw new StoppedError(`Stopped while waiting for the data folder ${folder}.`);
}

/** Undefined when nobody holds the folder any more. Processes of an older Limn do not say who they are. */
async function askWho(folder: string): Promise<Holder | undefined> {
  try {
    const text = await askHolder(folder, WHO);
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
 * Sends a command to the process that holds the folder. Undefined when none does; throws what the holder says when it
 * cannot.
 */
export async function askHolder(folder: string, command: string): Promise<string | undefined> {
  const socket = existsSync(folder) ? await reach(socketPath(folder)) : undefined;
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
 * Takes the path from a dead holder; undefined when the holder lives. Only one process at a time may try, else one would
 * remove the fresh socket of another.
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
 * A folder that only one process can make. One that stays was left by a process that died at it. How long it stays is
 * measured here and not read from the folder, since clocks are moved.
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
