import type { Context } from "koa";
import type { z } from "zod";
import type { BodyOf, Call, OutputOf, ParamsOf, QueryOf } from "../../../shared/api/protocol/call";
import type { CurrentUser } from "../../base/permissions";
import type { Services } from "../../features/services";
import type { UploadedFile } from "../../middleware/readUpload";
import type { JsonPieces } from "./jsonText";

export type { UploadedFile } from "../../middleware/readUpload";

/** Arguments of a handler: inputs validated by the declaration, and the user. */
export interface Request<C extends Call> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  files: UploadedFile[];
  /** The user who is logged in. On public calls, which do not identify the user, `NOBODY`. */
  user: CurrentUser;
  ctx: Context;
  services: Services;
}

/**
 * Handler of a call. For a call without `output`, the handler sends the response through `ctx` (a stream, a file) and
 * returns nothing. Any handler returns nothing after setting status 304.
 */
export type Handler<C extends Call> = (
  request: Request<C>,
) => Promise<C extends { output: z.ZodType } ? OutputOf<C> | JsonPieces | undefined : void>;

export interface Route {
  call: Call;
  handle: Handler<Call>;
}

/** Binds a call's declaration to its handler. */
export function route<C extends Call>(call: C, handle: NoInfer<Handler<C>>): Route {
  return { call, handle: handle as unknown as Handler<Call> };
}
