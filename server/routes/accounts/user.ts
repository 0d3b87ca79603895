import { finished } from "node:stream";
import type { Context } from "koa";
import {
  changePassword as changeCall,
  getUser,
  login,
  logout,
  register,
  resetPreferences,
} from "../../../shared/api/accounts/user";
import { badRequest, unauthorized } from "../../base/errors";
import { readInstallation } from "../../db/installation";
import type { UserRow } from "../../db/schema";
import { cookieName, type Identity, userDocument } from "../../features/access/identity";
import { endSession, SESSION_SECONDS, sessionIdOf, startSession } from "../../features/access/sessions";
import { changePassword } from "../../features/accounts/changePassword";
import { registerUser, requirePasswordLength } from "../../features/accounts/registerUser";
import { noteSuccess } from "../../features/passwords/attempts";
import { countedAddress } from "../../features/passwords/clientAddress";
import { hashPassword } from "../../features/passwords/hash";
import { loginKeys } from "../../features/passwords/limits";
import { userOfPassword } from "../../features/passwords/userOfPassword";
import type { Services } from "../../features/services";
import { requireLogins } from "../http/requireLogins";
import { type Route, route } from "../http/route";

export const userRoutes: Route[] = [
  route(getUser, async ({ user: caller, services: { db } }) => {
    const user = userDocument(await userRow(db, caller.id));
    return { user, installation: await installationId(db) };
  }),

  route(register, async ({ body, ctx, services }) => {
    requireLogins(services);
    const user = await registerUser(services, body, ctx.ip);
    sendSession(ctx, services, await startSession(services.db, user.id));
    return { success: true, user: userDocument(user), installation: await installationId(services.db) };
  }),

  route(login, async ({ body, ctx, services }) => {
    requireLogins(services);
    const user = await userOfPassword(services.db, { ...body, address: ctx.ip, by: "login" });
    if (!user) throw badRequest("Could not authenticate user");
    await closeOldSession(ctx, services);
    sendSession(ctx, services, await startSession(services.db, user.id, user.password_hash));
    return { success: true, user: userDocument(user), installation: await installationId(services.db) };
  }),

  route(logout, async ({ user: caller, ctx, services: { db, env, live } }) => {
    const { sessionId } = ctx.state.identity as Identity;
    if (sessionId) {
      await endSession(db, sessionId);
      live.disconnectUser(caller.id);
    }
    ctx.cookies.set(cookieName(env), null, { path: env.BASE_PATH });
    // Clears cached images. Never "storage", which would delete the journal and its pending edits; never "cookies",
    // which would delete the cookies of other applications on the same domain.
    ctx.set("Clear-Site-Data", '"cache"');
    return { success: true };
  }),

  route(changeCall, async ({ body, user: caller, ctx, services }) => {
    const { db, env, live } = services;
    requireLogins(services);
    const { username } = caller;
    const isInSession = (ctx.state.identity as Identity).by === "session";
    const by = isInSession ? "session" : "login";
    const user = await userOfPassword(db, { username, password: body.password, address: ctx.ip, by });
    if (!user) throw wrongField("password", "Password does not match current password");
    requirePasswordLength(body.new_password, env, "new_password");
    if (body.confirm_password != null && body.confirm_password !== body.new_password)
      throw wrongField("confirm_password", "Passwords do not match");
    const session = await changePassword(db, user, {
      hash: await hashPassword(body.new_password, countedAddress(ctx.ip)),
      endTokens: body.end_tokens ?? false,
      wantsSession: isInSession,
    });
    // Marks this address as known to the limits, so that the user can log in again from here.
    await noteSuccess(db, loginKeys(username, ctx.ip), user.id, { hasFailed: false });
    if (session) sendSession(ctx, services, session);
    // After the response: a page that reconnects before it has its new cookie would be rejected and appear
    // disconnected.
    finished(ctx.res, () => live.disconnectUser(user.id));
    return { success: true };
  }),

  route(resetPreferences, async ({ user: caller, services: { db } }) => {
    await db.updateTable("users").set({ preferences: "{}" }).where("id", "=", caller.id).execute();
    return { success: true };
  }),
];

/** Sets the session cookie. `token` is the session's secret, which only this browser's cookie contains. */
function sendSession(ctx: Context, { env }: Services, token: string): void {
  ctx.cookies.set(cookieName(env), token, {
    path: env.BASE_PATH,
    httpOnly: true,
    sameSite: "lax",
    secure: ctx.secure,
    maxAge: SESSION_SECONDS * 1000,
    overwrite: true,
  });
}

/** Ends the browser's previous session, so that a login never reuses an old session id. */
async function closeOldSession(ctx: Context, { db, env }: Services): Promise<void> {
  const token = ctx.cookies.get(cookieName(env));
  if (token) await endSession(db, sessionIdOf(token));
}

const installationId = async (db: Services["db"]): Promise<string> => (await readInstallation(db)).id;

async function userRow(db: Services["db"], id: number): Promise<UserRow> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw unauthorized();
  return row;
}

const wrongField = (field: string, message: string) => badRequest(message, { [field]: message });
