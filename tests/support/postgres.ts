import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, chownSync, constants, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./freePort";
import { newFolder } from "./runFolder";

/** A real PostgreSQL server for one run of the tests, on a free local port. */
export interface Postgres {
  /** Returns the address of a database on the server. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Returns the folder of initdb and postgres that the set-up script found, or undefined without one. */
export function postgresFolder(): string | undefined {
  return [recordedFolder(), process.env.PG_BIN, ...debianFolders()].find(
    (folder) => folder && isExecutable(join(folder, "initdb")) && isExecutable(join(folder, "postgres")),
  );
}

export async function startPostgres(bin: string): Promise<Postgres> {
  const folder = newFolder("postgres");
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "limn", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`];
  const quick = ["fsync=off", "full_page_writes=off", "max_connections=100", "shared_buffers=64MB"];
  const args = [...settings, ...quick].flatMap((setting) => ["-c", setting]);
  // Stops postgres when this process ends for any reason, because the pipe then closes.
  const script = '"$0" "$@" & server=$!; read end; kill -INT $server; wait $server; cd /; rm -rf "$FOLDER"';
  const child = spawn("sh", ["-c", script, join(bin, "postgres"), "-D", data, ...args], {
    ...user,
    cwd: folder,
    env: { ...process.env, FOLDER: folder },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const url = (database: string) => `postgres://limn@127.0.0.1:${port}/${database}`;
  await waitForPostgres(url("postgres"));
  return { url, stop: () => stop(child, folder) };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** Waits until the server accepts connections. */
export async function waitForPostgres(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (tries === 200) throw error;
      await wait(50);
    }
  }
}

/** Returns the ids of the postgres user if this process runs as root, because postgres refuses to run as root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function recordedFolder(): string | undefined {
  try {
    return JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8")).postgres ?? undefined;
  } catch {
    return undefined;
  }
}

function debianFolders(): string[] {
  try {
    const versions = readdirSync("/usr/lib/postgresql").filter((name) => Number(name) >= 15);
    return versions.sort((a, b) => Number(b) - Number(a)).map((name) => `/usr/lib/postgresql/${name}/bin`);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
