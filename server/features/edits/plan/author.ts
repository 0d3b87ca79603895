import type { CurrentUser } from "../../../base/permissions";

/** Author of edits: a user and the user's browser tab (`client`), which is null for a call without a client id. */
export interface Author {
  user: CurrentUser;
  client: string | null;
}
