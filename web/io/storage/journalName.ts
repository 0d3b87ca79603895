import { baseUrl } from "../http/url";
import { forget, isText, recall, remember, rememberedKeys } from "./localStore";

/** Owner of the work in a journal. `installation` is null where the server does not know ids yet. */
export interface Owner {
  installation: string | null;
  userId: number;
  username: string;
}

/** Owner of a journal that is there. Journals of earlier versions name only the user's number. */
type JournalOwner = Omit<Owner, "username"> & { username: string | undefined };

const NONE = "-";
const prefix = (): string => `limn ${baseUrl().pathname} `;

/** The name of the browser's database with a user's unsent work in this installation. */
export const journalName = ({ installation, userId, username }: Owner): string =>
  `${prefix()}${installation ?? NONE} ${userId} ${username}`;

/** Remembers that there is a journal of this name, for browsers that do not list their databases. */
export const noteJournal = (name: string): void => remember(`journal ${name}`, true);
export const forgetJournal = (name: string): void => forget(`journal ${name}`);

/**
 * Notes whom a journal of an earlier version belongs to, which its name does not say: at that time the browser
 * remembered who was logged in. The first note stays.
 */
export function noteOldOwner(userId: number, username: string): void {
  const key = oldOwnerKey(userId);
  if (recall(key, isText) === undefined) remember(key, username);
}
const oldOwnerKey = (userId: number): string => `owner of ${prefix()}${userId}`;

/** The owner that a database's name tells; undefined where it is no journal of this address. */
export function ownerOfJournal(name: string): JournalOwner | undefined {
  if (!name.startsWith(prefix())) return undefined;
  const rest = name.slice(prefix().length);
  if (/^\d+$/.test(rest)) {
    const userId = Number(rest);
    return { installation: null, userId, username: recall(oldOwnerKey(userId), isText) };
  }
  const [, installation, number, username] = /^(\S+) (\d+) (.+)$/.exec(rest) ?? [];
  if (!installation) return undefined;
  return { installation: installation === NONE ? null : installation, userId: Number(number), username };
}

/** Names of all journals of this address in this browser, whoever they belong to. */
export async function journalNames(): Promise<string[]> {
  const noted = rememberedKeys("journal ").map((key) => key.slice("journal ".length));
  const listed = await listDatabases();
  return [...new Set([...noted, ...listed])].filter((name) => ownerOfJournal(name) !== undefined);
}

const listsDatabases = (): boolean => "indexedDB" in globalThis && indexedDB.databases !== undefined;

async function listDatabases(): Promise<string[]> {
  if (!listsDatabases()) return [];
  const databases = await indexedDB.databases().catch(() => []);
  return databases.flatMap(({ name }) => name ?? []);
}

/**
 * Names of journals that the same user has left under another installation or number. The same username decides; where
 * nobody knows the name behind a journal of an earlier version, the number does.
 */
export async function journalsElsewhere(owner: Owner): Promise<string[]> {
  const own = journalName(owner);
  const names = await journalNames();
  if (!listsDatabases()) names.push(`${prefix()}${owner.userId}`);
  return names.filter((name) => name !== own && isOfSameUser(ownerOfJournal(name), owner));
}

function isOfSameUser(found: JournalOwner | undefined, owner: Owner): boolean {
  if (!found) return false;
  return found.username === undefined ? found.userId === owner.userId : found.username === owner.username;
}

/** Returns true if the user has a journal here, under this installation or another. */
export async function hasJournal(owner: Owner): Promise<boolean> {
  const names = await journalNames();
  return names.includes(journalName(owner)) || (await journalsElsewhere(owner)).length > 0;
}
