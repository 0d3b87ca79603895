import { createToken as createCall, listTokens, revokeToken as revokeCall } from "../../shared/api/token";
import { forbidden, notFound } from "../base/errors";
import type { Identity } from "../features/access/identity";
import { createToken, revokeToken, tokensOf } from "../features/access/tokens";
import { requireLogins } from "./http/requireLogins";
import { type Route, route } from "./http/route";

export const tokenRoutes: Route[] = [
  route(listTokens, async ({ person, services }) => {
    requireLogins(services);
    return { tokens: await tokensOf(services.db, person.id) };
  }),

  route(createCall, async ({ body, person, ctx, services }) => {
    requireLogins(services);
    // Else a leaked token would outlive its own revocation.
    if ((ctx.state.identity as Identity).by === "token")
      throw forbidden("An API token cannot make another one. Log in with your password.");
    return createToken(services.db, person.id, body);
  }),

  route(revokeCall, async ({ params, person, services }) => {
    requireLogins(services);
    if (!(await revokeToken(services.db, person.id, params.id))) throw notFound("Invalid token id");
    services.live.disconnectUser(person.id);
    return { success: true };
  }),
];
