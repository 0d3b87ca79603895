import { forbidden } from "../../base/errors";
import type { Services } from "../../features/services";

/**
 * Throws 403 if login is disabled, since there are then no accounts to log in to, to change, or to create tokens for.
 */
export function requireLogins({ env }: Pick<Services, "env">): void {
  if (env.LOGIN_DISABLED) throw forbidden("Login is disabled on this server.");
}
