import type { CurrentUser } from "../../../base/permissions";

/** The author of edits: a user, through one tab (`client`), or through a call that has no client of its own. */
export interface Author {
  user: CurrentUser;
  client: string | null;
}
