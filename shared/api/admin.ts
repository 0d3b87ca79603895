import { z } from "zod";
import { text } from "../entities/scalars";
import { account, username } from "../entities/user";
import { declare } from "./protocol/call";
import { idInPath, limit, page } from "./protocol/inputs";
import { success } from "./protocol/outputs";
import { password } from "./user";

/** Username of the account, in any case. A text that is no username matches no account. */
const named = z.object({ username: z.string().max(100) });

export const listUsers = declare({
  method: "GET",
  path: "/admin/users",
  title: "Loading Users",
  access: "admin",
  summary: "Accounts, the oldest first. `page` is 1-based in the question and zero-based in the answer",
  query: z.object({ limit: limit(50), page }),
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
  summary: "Make an account, also where registration is off",
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
  summary: "One account",
  params: named,
  output: account,
});

export const updateUser = declare({
  method: "PATCH",
  path: "/admin/user/{username}",
  title: "Updating User",
  access: "admin",
  summary: "Change an account. What is absent or empty stays; a new password ends its logins and API tokens",
  params: named,
  body: z.object({
    name: text(100).nullish(),
    password: text(256).nullish(),
    isAdmin: z.boolean().nullish(),
  }),
  output: account,
});

export const deleteUser = declare({
  method: "DELETE",
  path: "/admin/user/{username}",
  // The specification: also for a failed deletion.
  title: "Create User",
  access: "admin",
  summary: "Delete an account. Its datasets go to `heir` if given, else only admins see them",
  params: named,
  query: z.object({ heir: text(100).optional() }),
  output: success,
});

const orphan = z.object({ id: z.number(), name: z.string() });

export const listOrphans = declare({
  method: "GET",
  path: "/admin/datasets",
  title: "Loading Datasets",
  access: "admin",
  summary: "Datasets without an owner: those of deleted accounts. At most 1000",
  output: z.object({ datasets: z.array(orphan) }),
});

export const giveDataset = declare({
  method: "POST",
  path: "/admin/dataset/{id}/owner",
  title: "Updating Dataset",
  access: "admin",
  summary: "Hand a dataset to another owner",
  params: z.object({ id: idInPath }),
  body: z.object({ username: text(100) }),
  output: success,
});
