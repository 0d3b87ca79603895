import { z } from "zod";
import { text } from "../entities/scalars";
import { apiToken } from "../entities/token";
import { declare } from "./protocol/call";
import { idInPath } from "./protocol/inputs";
import { success } from "./protocol/outputs";

/** Personal API tokens: sent as `Authorization: Bearer limn_...`, they stand for the person in every call. */

export const listTokens = declare({
  method: "GET",
  path: "/user/tokens",
  title: "API Tokens",
  access: "user",
  summary: "One's own API tokens, the newest first",
  output: z.object({ tokens: z.array(apiToken) }),
});

export const createToken = declare({
  method: "POST",
  path: "/user/tokens",
  title: "API Tokens",
  access: "user",
  summary: "Make an API token; the answer alone has its secret. A token itself makes none (403)",
  body: z.object({
    name: text(100).trim().min(1, "A name is required"),
    /** Null or absent: it does not expire. */
    expires_in_days: z.number().int().min(1).max(3650).nullish(),
  }),
  output: z.object({ token: apiToken, secret: z.string() }),
});

export const revokeToken = declare({
  method: "DELETE",
  path: "/user/tokens/{id}",
  title: "API Tokens",
  access: "user",
  summary: "Revoke one of one's own API tokens",
  params: z.object({ id: idInPath }),
  output: success,
});
