import type { ClientEvents, ServerEvents } from "../../../shared/events";
import type { Row } from "./matrix";

type Rights = Pick<Row, "may" | "inTrash">;

/** Whom each event of the server reaches. An event without a line here does not compile. */
export const heard: Record<Exclude<keyof ServerEvents, "limited">, Rights> = {
  /** Of those, who have the image open. */
  annotation: { may: "members" },
  annotating: { may: "members" },
  /** Of those, who take it in place of `annotating`. */
  presence: { may: "members" },
  /** The task is the dataset's. Its creator hears it too: tests/server/sockets/sockets.test.ts. */
  taskProgress: { may: "taskOwners", inTrash: { dataset: "as live", image: "as live" } },
};

/** On whose word the server acts; `nobody`: it passes the event over, whoever sends it. */
export const said: Record<keyof ClientEvents, Rights | "nobody"> = {
  annotating: { may: "members" },
  /** Of the image's dataset. */
  listing: { may: "members", inTrash: { image: "as live" } },
  annotation: "nobody",
};
