import type { SocketData } from "../../live/socketLive";

/** Names the budget of an admitted socket: its user's; where logins are off, its address's. */
export const budgetOf = ({ data }: { data: Pick<SocketData, "user" | "address"> }): string =>
  data.user.anonymous ? `address ${data.address}` : `user ${data.user.id}`;
