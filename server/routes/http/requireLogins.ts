import { forbidden } from "../../base/errors";
import type { Services } from "../../features/services";

/** Where login is off there are no accounts to log in to, to change, or to make tokens for. */
export function requireLogins({ env }: Pick<Services, "env">): void {
  if (env.LOGIN_DISABLED) throw forbidden("Login is disabled on this server.");
}
