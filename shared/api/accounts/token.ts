import { z } from "zod";
import { apiToken } from "../../entities/accounts/token";
import { text } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { idInPath } from "../protocol/inputs";
import { success } from "../protocol/outputs";

/** Personal API tokens: a call with `Authorization: Bearer limn_...` is made on behalf of the token's owner. */

export const listTokens = declare({
  method: "GET",
  path: "/user/tokens",
  title: "API Tokens",
  access: "user",
  summary: "List your API tokens, newest first",
  output: z.object({ tokens: z.array(apiToken) }),
});

export const createToken = declare({
  method: "POST",
  path: "/user/tokens",
  title: "API Tokens",
  access: "user",
  summary: "Create an API token; only this response has its secret. Not allowed with an API token (403)",
  body: z.object({
    name: text(100).trim().min(1, "A name is required"),
    /** If null or absent, the token does not expire. */
    expires_in_days: z.number().int().min(1).max(3650).nullish(),
  }),
  output: z.object({ token: apiToken, secret: z.string() }),
});

export const revokeToken = declare({
  method: "DELETE",
  path: "/user/tokens/{id}",
  title: "API Tokens",
  access: "user",
  summary: "Revoke one of your API tokens",
  params: z.object({ id: idInPath }),
  output: success,
});
