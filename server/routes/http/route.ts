import type { Context } from "koa";
import type { z } from "zod";
import type { BodyOf, Call, OutputOf, ParamsOf, QueryOf } from "../../../shared/api/protocol/call";
import type { CurrentUser } from "../../base/permissions";
import type { Services } from "../../features/services";
import type { UploadedFile } from "../../middleware/readUpload";
import type { JsonPieces, JsonText } from "./jsonText";

export type { UploadedFile } from "../../middleware/readUpload";

/** Arguments of a handler: inputs that the declaration has checked, and the caller. */
export interface Request<C extends Call> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  files: UploadedFile[];
  /** Whoever is logged in. On public calls nobody is asked for: `NOBODY`. */
  user: CurrentUser;
  ctx: Context;
  services: Services;
}

/**
 * The handler of a call without `output` sends its answer through `ctx` (a stream, a file) and returns nothing; so does
 * one that has set status 304.
 */
export type Handler<C extends Call> = (
  request: Request<C>,
) => Promise<C extends { output: z.ZodType } ? OutputOf<C> | JsonText | JsonPieces | undefined : void>;

export interface Route {
  call: Call;
  handle: Handler<Call>;
}

/** Binds a call's declaration to what the server does for it. */
export function route<C extends Call>(call: C, handle: NoInfer<Handler<C>>): Route {
  return { call, handle: handle as unknown as Handler<Call> };
}
