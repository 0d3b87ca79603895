import type { Readable } from "node:stream";
import type Router from "@koa/router";
import type { Context } from "koa";
import { changePassword, logout } from "../../../shared/api/accounts/user";
import type { Call } from "../../../shared/api/protocol/call";
import { COMMAND_HEADER } from "../../../shared/api/protocol/headers";
import type { Env } from "../../base/env";
import { forbidden, HttpError, notFound, unauthorized } from "../../base/errors";
import { type CurrentUser, NOBODY } from "../../base/permissions";
import { workFor } from "../../base/requester";
import { type Identity, identify } from "../../features/access/identity";
import { isLargeBody, readInThread } from "../../features/bodies/bodyThread";
import type { Services } from "../../features/services";
import { doOnce } from "../../middleware/doOnce";
import { parseInput, singleValues } from "../../middleware/parseInput";
import { parseJson, readJsonBytes } from "../../middleware/readBody";
import { readUpload, type UploadedFile } from "../../middleware/readUpload";
import { requireOwnOrigin } from "../../middleware/requireOwnOrigin";
import { requireInstallation, requireShownUser } from "../../middleware/requirePageOwner";

import { bodyOf, JsonPieces } from "./jsonText";
import type { Route } from "./route";

const DEFAULT_MAX_BODY = 1_000_000;
const LONG_TEXT = 10_000;

export interface BindOptions {
  /** Checks responses against their declaration: in tests and development, never in production. */
  checkResponses: boolean;
}

/** Registers the routes on a router whose prefix is `<BASE_PATH>api`, fixed paths before those with parameters. */
export function bindAll(router: Router, routes: Route[], services: Services, options: BindOptions): void {
  const sorted = [...routes].sort((a, b) => (sortKey(a.call) < sortKey(b.call) ? -1 : 1));
  for (const route of sorted) bind(router, route, services, options);
}

const sortKey = ({ path }: Call): string => path.replaceAll(/\{\w+\}/g, "~");

/** Registers a route. The router accepts each path with and without a trailing slash. */
function bind(router: Router, { call, handle }: Route, services: Services, options: BindOptions): void {
  const path = call.path.replaceAll(/\{(\w+)\}/g, ":$1").replace(/\/$/, "");
  router.register(path, [call.method], async (ctx) => {
    ctx.state.route = `/api${call.path}`;
    if (ctx.method === "HEAD" && call.changes) throw new HttpError(405, "Use GET.", { headers: { Allow: "GET" } });
    ctx.set("Cache-Control", "no-store");
    const identity = await workFor(callerOf(ctx), () => admit(ctx, call, services));
    ctx.state.identity = identity;
    await workFor(requesterOf(ctx, identity), () => respond(ctx, { call, handle }, services, options, identity));
  });
}

/** Runs a call that was admitted, and sets the response. */
async function respond(
  ctx: Context,
  { call, handle }: Route,
  services: Services,
  options: BindOptions,
  identity: Identity | undefined,
): Promise<void> {
  if (identity) requireShownUser(ctx.headers, identity.user);
  await requireInstallation(services.db, ctx.headers);
  const params = paramsOf(call, ctx.params);
  const query = call.query && parseInput(call.query, singleValues(ctx.query));
  const { body, files, remove } = await readBody(ctx, call, services, identity?.user ?? NOBODY);
  try {
    const user = identity?.user ?? NOBODY;
    const act = async () => {
      const output = await handle({ params, query, body, files, user, ctx, services });
      return call.output && ctx.status !== 304 ? bodyFor(call, output, options) : "";
    };
    const command = `${user.id} ${call.method} ${ctx.url}`;
    const isCommand = isRepeatable(call) && COMMAND_HEADER in ctx.headers;
    const json = await (isCommand ? doOnce(services.db, ctx.headers, command, async () => textOf(await act())) : act());
    if (json === "") return;
    ctx.type = "json";
    // A long text is sent as bytes, and so is encoded once; Koa and Node would go through a string twice more.
    ctx.body = typeof json === "string" && json.length > LONG_TEXT ? Buffer.from(json) : json;
  } finally {
    await remove?.();
  }
}

/** Returns a name for a caller who is not identified yet. */
const callerOf = (ctx: Context): string => ctx.headers.authorization ?? ctx.headers.cookie ?? ctx.ip;

/**
 * Returns the name under which the caller's work waits for its turn: the user's or, with login disabled, the address.
 */
const requesterOf = (ctx: Context, identity: Identity | undefined): string =>
  identity && identity.by !== "open" ? `user ${identity.user.id}` : ctx.ip;

/**
 * Returns true if the stored output is enough to respond to a repeat of the call: it sends no file, sets no cookie, and
 * has no upload, whose files would be gone.
 */
const isRepeatable = (call: Call): boolean =>
  (call.changes ?? call.method !== "GET") &&
  call.access !== "public" &&
  call.output !== undefined &&
  !call.upload &&
  !SETS_COOKIE.includes(call);
const SETS_COOKIE: readonly Call[] = [logout, changePassword];

/**
 * Identifies the user. Throws 401 or 403 if the user may not make the call, or the call comes from a page of another
 * site.
 */
async function admit(ctx: Context, call: Call, { db, env }: Services): Promise<Identity | undefined> {
  const mayChange = call.changes || call.method !== "GET";
  if (call.access === "public") {
    if (mayChange) requireOwnOrigin(ctx.headers, call.method, ctx.host);
    return undefined;
  }
  const identity = await identify(db, env, ctx.headers, ctx.ip);
  if (!identity) throw unauthorized("Authorization required");
  // No page of another site can make a browser send a password or a token in the Authorization header.
  if (mayChange && identity.by !== "basic" && identity.by !== "token")
    requireOwnOrigin(ctx.headers, call.method, ctx.host);
  if (call.access === "admin" && !identity.user.isAdmin) throw forbidden("Access denied");
  return identity;
}

/** Parses the path's parameters. Throws 404 for a malformed id. */
function paramsOf(call: Call, params: unknown): unknown {
  if (!call.params) return undefined;
  const parsed = call.params.safeParse(params);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

interface Body {
  body: unknown;
  files: UploadedFile[];
  remove?: () => Promise<void>;
}

/** Reads the body. Uses a thread for a large body, so that it does not block other requests. */
async function readBody(ctx: Context, call: Call, { env }: Services, user: CurrentUser): Promise<Body> {
  if (call.upload) return readForm(ctx, call, call.upload, env);
  if (!call.body) return { body: undefined, files: [] };
  const bytes = await readJsonBytes(ctx, call.maxBody ?? DEFAULT_MAX_BODY, call.raw ?? false);
  if (isLargeBody(call, bytes)) return { body: await readInThread(call, bytes, user), files: [] };
  return { body: parseInput(call.body, parseJson(bytes) ?? {}), files: [] };
}

async function readForm(ctx: Context, call: Call, upload: NonNullable<Call["upload"]>, env: Env): Promise<Body> {
  const { fields, files, remove } = await readUpload(ctx, upload, env);
  try {
    return { body: call.body && parseInput(call.body, fields), files, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function bodyFor(call: Call, output: unknown, { checkResponses }: BindOptions): Promise<string | Readable> {
  const body = await bodyOf(output);
  if (!checkResponses) return body;
  const json = await textOf(body);
  const isWritten = typeof body !== "string" || output instanceof JsonPieces;
  checkResponse(call, isWritten ? JSON.parse(json) : output);
  return json;
}

async function textOf(body: string | Readable): Promise<string> {
  return typeof body === "string" ? body : (await body.toArray()).join("");
}

function checkResponse(call: Call, output: unknown): void {
  const error = call.output?.safeParse(output).error;
  if (error) throw new Error(`${call.method} ${call.path} returned something other than declared: ${error.message}`);
}
