import { withinTime } from "../../../shared/async/timeLimit";
import { baseUrl } from "../http/url";
import { forget, isText, recall, remember, rememberedKeys } from "../storage/localStore";

/** Owner of a journal. `installation` is null if the server does not report an id yet. */
export interface Owner {
  installation: string | null;
  userId: number;
  username: string;
}

/** Owner of an existing journal. Journals of earlier versions contain only the user's id. */
type JournalOwner = Omit<Owner, "username"> & { username: string | undefined };

const NONE = "-";
const prefix = (): string => `limn ${baseUrl().pathname} `;

/** Returns the name of the IndexedDB database with a user's pending edits for an installation. */
export const journalName = ({ installation, userId, username }: Owner): string =>
  `${prefix()}${installation ?? NONE} ${userId} ${username}`;

/** Remembers that this journal exists, for browsers that cannot list their databases. */
export const noteJournal = (name: string): void => remember(`journal ${name}`, true);
export const forgetJournal = (name: string): void => forget(`journal ${name}`);

/**
 * Records the owner of a journal of an earlier version, whose name contains only the user's id. Called with the
 * username that those versions remembered. Later calls do not overwrite the first.
 */
export function noteOldOwner(userId: number, username: string): void {
  const key = oldOwnerKey(userId);
  if (recall(key, isText) === undefined) remember(key, username);
}
const oldOwnerKey = (userId: number): string => `owner of ${prefix()}${userId}`;

/** Returns the owner of a journal by its database name; undefined if it is not a journal of this address. */
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

/** Returns the names of all journals of this address in this browser, of all users. */
export async function journalNames(): Promise<string[]> {
  const noted = rememberedKeys("journal ").map((key) => key.slice("journal ".length));
  const listed = await listDatabases();
  return [...new Set([...noted, ...listed])].filter((name) => ownerOfJournal(name) !== undefined);
}

const listsDatabases = (): boolean => "indexedDB" in globalThis && indexedDB.databases !== undefined;

/** Maximum wait for the list of databases, in milliseconds: the storage of some browsers never responds. */
const LISTING_MS = 5_000;

/** Returns the names of all databases; none if the browser does not list them. */
async function listDatabases(): Promise<string[]> {
  if (!listsDatabases()) return [];
  const late = () => new Error("The browser does not list its databases.");
  const databases = await withinTime(LISTING_MS, indexedDB.databases(), late).catch(() => []);
  return databases.flatMap(({ name }) => name ?? []);
}

/**
 * Returns the names of journals that the same user has under another installation or id. Users are compared by
 * username, or by id if the username of a journal of an earlier version is unknown.
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
