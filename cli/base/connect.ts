import { api } from "../../shared/api";
import { makeClient } from "../../shared/api/protocol/client";
import { RequestError } from "../../shared/api/protocol/requestError";
import type { Dataset } from "../../shared/entities/dataset";
import { CommandError, EXIT } from "./errors";
import { makeRetryingFetch, type RetryOptions } from "./retryingFetch";
import type { Login } from "./settings";
import { VERSION } from "./version";

export type Client = ReturnType<typeof makeClient<Response, FormData>>;

/** Returns a client for the login's server, after checking that it is Limn of a version that this program knows. */
export async function connect({ url, token }: Login, options: RetryOptions): Promise<Client> {
  const client: Client = makeClient({ url, ...(token && { token }), fetch: makeRetryingFetch(options), FormData });
  requireVersion(await readVersion(client, url), url);
  return client;
}

async function readVersion(client: Client, url: string): Promise<string> {
  try {
    const { version } = await client.request(api.info.getInfo);
    if (typeof version === "string") return version;
  } catch (error) {
    if (!(error instanceof RequestError) || error.isOffline || error.status >= 500) throw error;
  }
  throw new CommandError(`${url} responds, but it is not a Limn server.`, EXIT.otherVersion);
}

/** Throws if the server's version differs in what makes versions incompatible: see `incompatiblePart`. */
function requireVersion(version: string, url: string): void {
  const [theirs, ours] = [incompatiblePart(version), incompatiblePart(VERSION)];
  if (theirs === undefined || theirs === ours) return;
  throw new CommandError(
    `${url} runs Limn ${version}, but this is the command line of Limn ${VERSION}. Use the one of the server's version.`,
    EXIT.otherVersion,
  );
}

/**
 * Returns the major version, and below 1.0.0 also the minor one, because each may change calls (semver.org). Undefined
 * if the text is no version, as for an installation without tags.
 */
export function incompatiblePart(version: string): string | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return major === "0" ? `0.${minor}` : major;
}

/** Returns the dataset with an id or a name. Throws if there is none, or several with the name. */
export async function findDataset(client: Client, idOrName: string): Promise<Dataset> {
  const all = await client.request(api.dataset.listDatasets);
  const named = all.filter(({ name }) => name === idOrName);
  const [found] = named.length > 0 ? named : all.filter(({ id }) => String(id) === idOrName);
  if (named.length > 1) throw new CommandError(`Several datasets are called "${idOrName}". Name one by its id.`);
  if (!found) throw new CommandError(`There is no dataset "${idOrName}", or you may not see it.`);
  return found;
}
