import { createToken as createCall, listTokens, revokeToken as revokeCall } from "../../../shared/api/accounts/token";
import { forbidden, notFound } from "../../base/errors";
import type { Identity } from "../../features/access/identity";
import { createToken, revokeToken, tokensOf } from "../../features/access/tokens";
import { requireLogins } from "../http/requireLogins";
import { type Route, route } from "../http/route";

export const tokenRoutes: Route[] = [
  route(listTokens, async ({ user, services }) => {
    requireLogins(services);
    return { tokens: await tokensOf(services.db, user.id) };
  }),

  route(createCall, async ({ body, user, ctx, services }) => {
    requireLogins(services);
    // Otherwise a leaked token could create other tokens, which would survive its revocation.
    if ((ctx.state.identity as Identity).by === "token")
      throw forbidden("An API token cannot create another one. Log in with your password.");
    return createToken(services.db, user.id, body);
  }),

  route(revokeCall, async ({ params, user, services }) => {
    requireLogins(services);
    if (!(await revokeToken(services.db, user.id, params.id))) throw notFound("Invalid token id");
    services.live.disconnectUser(user.id);
    return { success: true };
  }),
];
