import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The server and the token that commands use. */
export interface Login {
  url: string;
  token: string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = "http://localhost:5000";

/** Returns the path of the file in which `login` stores the token. */
export function loginFile(env: Variables): string {
  const home = env.HOME ?? homedir();
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "limn", "login.json");
}

/**
 * Returns the login from `url` (an option), the variables LIMN_URL and LIMN_TOKEN, and the stored file, in this order.
 * The stored token is used only for the server that it was stored for.
 */
export async function readLogin(env: Variables, url: string | undefined): Promise<Login> {
  const stored = await readStored(loginFile(env));
  const wanted = tidyUrl(url ?? env.LIMN_URL ?? stored?.url ?? DEFAULT_URL);
  const token = env.LIMN_TOKEN || (stored?.url === wanted ? stored.token : undefined);
  return { url: wanted, token };
}

/** Stores the login in a file that only its owner can read. A reader never sees half of it. */
export async function storeLogin(env: Variables, login: Login): Promise<string> {
  const file = loginFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return file;
}

export async function removeLogin(env: Variables): Promise<void> {
  await rm(loginFile(env), { force: true });
}

/** Returns an address without trailing slashes; adds `http://` to a bare host. */
export function tidyUrl(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  return address.replace(/\/+$/, "");
}

async function readStored(file: string): Promise<Login | undefined> {
  try {
    const { url, token } = JSON.parse(await readFile(file, "utf8"));
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}
