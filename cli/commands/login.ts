import { api } from "../../shared/api";
import { TOKEN_PREFIX } from "../../shared/entities/accounts/token";
import type { Command } from "../base/command";
import { usageError } from "../base/errors";
import { loginFile, removeLogin, storeLogin, tidyUrl } from "../base/settings";

export const login: Command = {
  name: "login",
  usage: "[URL]",
  summary: "Check a token, read from standard input or LIMN_TOKEN, and store it for this user of this machine",
  words: [0, 1],
  async run({ words: [address], login: found, env, output, connect, readSecret }) {
    const url = address === undefined ? found.url : tidyUrl(address);
    const token = (env.LIMN_TOKEN || (await readSecret(`API token for ${url} (user page, API tokens): `))).trim();
    if (!token.startsWith(TOKEN_PREFIX)) throw usageError(`A token begins with ${TOKEN_PREFIX}.`);
    const client = await connect({ url, token });
    const { user } = await client.request(api.user.getUser);
    const file = await storeLogin(env, { url, token });
    output.result({ url, username: user.username, file }, `Logged in to ${url} as ${user.username}.`);
  },
};

export const logout: Command = {
  name: "logout",
  usage: "",
  summary: "Remove the stored token. It stays valid until it is revoked on the user page",
  words: [0, 0],
  async run({ env, output }) {
    await removeLogin(env);
    output.result({ file: loginFile(env) }, "The stored token is removed.");
  },
};

export const whoami: Command = {
  name: "whoami",
  usage: "",
  summary: "Show the server and the user of the token",
  words: [0, 0],
  async run({ login: { url }, output, connect }) {
    const { user } = await (await connect()).request(api.user.getUser);
    output.result({ url, username: user.username }, `${user.username} at ${url}`);
  },
};
