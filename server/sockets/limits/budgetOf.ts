import type { SocketData } from "../../live/socketLive";

/** Returns the key of an admitted socket's budget: its user or, with login disabled, its address. */
export const budgetOf = ({ data }: { data: Pick<SocketData, "user" | "address"> }): string =>
  data.user.anonymous ? `address ${data.address}` : `user ${data.user.id}`;
