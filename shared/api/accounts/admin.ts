import { z } from "zod";
import { account, username } from "../../entities/accounts/user";
import { text } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { count, idInPath, limit, page, search } from "../protocol/inputs";
import { success } from "../protocol/outputs";
import { password } from "./user";

/** Username of the account, case-insensitive. Any string is accepted: an invalid username matches no account. */
const named = z.object({ username: z.string().max(100) });

export const listUsers = declare({
  method: "GET",
  path: "/admin/users",
  title: "Loading Users",
  access: "admin",
  summary: "List accounts, oldest first. `page` is 1-based in the request and zero-based in the response",
  query: z.object({ limit: limit(50), page, search }),
  output: z.object({
    users: z.array(account),
    total: z.number(),
    pages: z.number(),
    page: z.number(),
    per_page: z.number(),
  }),
});

export const createUser = declare({
  method: "POST",
  path: "/admin/user/",
  title: "Create User",
  access: "admin",
  summary: "Create an account, even if registration is off",
  body: z.object({
    username,
    password,
    name: text(100).nullish(),
    email: text(100).nullish(),
    isAdmin: z.boolean().nullish(),
  }),
  output: z.object({ success: z.literal(true), user: account }),
});

export const getAccount = declare({
  method: "GET",
  path: "/admin/user/{username}",
  title: "Loading Users",
  access: "admin",
  summary: "Get an account",
  params: named,
  output: account,
});

export const updateUser = declare({
  method: "PATCH",
  path: "/admin/user/{username}",
  title: "Updating User",
  access: "admin",
  summary:
    "Change an account. Absent or empty fields stay as they are; a new password ends the account's sessions and API tokens. 404 if the account with this name does not have the `id`",
  params: named,
  body: z.object({
    id: count.optional(),
    name: text(100).nullish(),
    password: text(256).nullish(),
    isAdmin: z.boolean().nullish(),
  }),
  output: account,
});

export const deleteUser = declare({
  method: "DELETE",
  path: "/admin/user/{username}",
  // The specification uses this title for a failed deletion too.
  title: "Create User",
  access: "admin",
  summary:
    "Delete an account. Its datasets go to `heir` if given, renamed to `NAME (USERNAME)` where the heir uses the name; otherwise only admins can see them. 409 with the code `total_changed` if the account does not own exactly `datasets` datasets, 404 if the account with this name does not have the `id`",
  params: named,
  query: z.object({ id: count.optional(), heir: text(100).optional(), datasets: count.optional() }),
  output: success,
});

const orphan = z.object({ id: z.number(), name: z.string() });

export const listOrphans = declare({
  method: "GET",
  path: "/admin/datasets",
  title: "Loading Datasets",
  access: "admin",
  summary: "List datasets without an owner (those of deleted accounts), at most 1000",
  output: z.object({ datasets: z.array(orphan) }),
});

export const giveDataset = declare({
  method: "POST",
  path: "/admin/dataset/{id}/owner",
  title: "Updating Dataset",
  access: "admin",
  summary:
    "Transfer a dataset to another owner. 409 if that user has a dataset of the same name, and with `only_if_ownerless` if it has an owner",
  params: z.object({ id: idInPath }),
  body: z.object({ username: text(100), only_if_ownerless: z.boolean().optional() }),
  output: success,
});
