import { z } from "zod";
import { USERNAME, user, username } from "../../entities/accounts/user";
import { text } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { success } from "../protocol/outputs";

/** Limited to 256 characters, since hashing a longer password only costs time. */
export const password = text(256).min(1);
/**
 * Id of the installation. It changes with every restore, and edits made for another id must not be sent: see POST
 * /annotator/edits.
 */
const installation = z.uuid();
const withUser = z.object({ success: z.literal(true), user, installation });

export const getUser = declare({
  method: "GET",
  path: "/user/",
  title: "User",
  access: "user",
  summary: "Get the logged-in user",
  output: z.object({ user, installation }),
});

export const register = declare({
  method: "POST",
  path: "/user/register",
  title: "User Registration",
  access: "public",
  changes: true,
  summary: "Create an account and log in; the first account is an admin",
  body: z.object({ username, password, name: text(100).nullish(), email: text(100).nullish() }),
  output: withUser,
});

export const login = declare({
  method: "POST",
  path: "/user/login",
  title: "User Login",
  access: "public",
  changes: true,
  summary: "Log in",
  body: z.object({ username: z.string().regex(USERNAME, "Invalid username format"), password }),
  output: withUser,
});

export const logout = declare({
  method: "GET",
  path: "/user/logout",
  title: "Logout",
  access: "user",
  changes: true,
  summary: "Log out",
  output: success,
});

export const changePassword = declare({
  method: "POST",
  path: "/user/password",
  title: "Changing Password",
  access: "user",
  summary: "Change your password; this ends your other sessions and, with `end_tokens`, all your API tokens",
  body: z.object({
    password,
    new_password: password,
    confirm_password: text(256).nullish(),
    end_tokens: z.boolean().nullish(),
  }),
  output: success,
});

export const resetPreferences = declare({
  method: "DELETE",
  path: "/user/preferences",
  title: "Preferences",
  access: "user",
  summary: "Reset your tool settings and keyboard shortcuts",
  output: success,
});
