import type { ClientEvents, ServerEvents } from "../../../shared/events";
import type { Row } from "./matrix";

type Rights = Pick<Row, "may" | "inTrash">;

/**
 * Receivers of each server event. A new event without a line here does not compile. Four have tests of their own:
 * `role`, for one user (tests/server/routes/dataset/memberRoles.test.ts), `work`, for users whose assignments change
 * and for those who show the list (tests/server/features/assignment/assignment.test.ts), `pointing`
 * (tests/server/sockets/passPointers.test.ts), and `comments`, for the users whom a comment concerns
 * (tests/server/features/comments).
 */
export const receiverRights: Record<
  Exclude<keyof ServerEvents, "limited" | "role" | "work" | "pointing" | "comments">,
  Rights
> = {
  /** Only those who have the image open. */
  annotation: { may: "members" },
  annotating: { may: "members" },
  /** Only those who have an image of the dataset open. */
  categories: { may: "members" },
  /** Only those who receive it instead of `annotating`. */
  presence: { may: "members" },
  /** The task belongs to the dataset. Its creator also receives the event: tests/server/sockets/sockets.test.ts. */
  taskProgress: { may: "taskManagers", inTrash: { dataset: "as live", image: "as live" } },
};

/** Senders whose events the server acts on. `nobody`: it ignores the event from every sender. */
export const senderRights: Record<keyof ClientEvents, Rights | "nobody"> = {
  annotating: { may: "members" },
  /** The image's dataset is listed. */
  listing: { may: "members", inTrash: { image: "as live" } },
  annotation: "nobody",
  /** For the image that the sender has open; see tests/server/sockets/passPointers.test.ts. */
  pointing: { may: "members" },
};
