import type { CurrentUser } from "../../../base/permissions";

/** Author of edits: a user and the browser tab (`client`) they used; null for a call that has no client id. */
export interface Author {
  user: CurrentUser;
  client: string | null;
}
