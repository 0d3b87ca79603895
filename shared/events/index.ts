/**
 * Socket.IO events. They are hints: truth is what the catch-up call and the task routes answer. The server sends
 * `annotation` after commit to the room of the image; what a client sends under that name is ignored.
 */
export interface ServerEvents {
  annotation: (event: AnnotationEvent) => void;
  /** A user came to an image or left it. To clients that don't ask for `presence`. */
  annotating: (event: { image_id: number; username: string; active: boolean }) => void;
  /** Users who came and left, of the image that the client has open or of the list that it shows. */
  presence: (changes: PresenceChange[]) => void;
  taskProgress: (event: TaskProgressEvent) => void;
  /** The server ends the connection, because the client has sent too much. */
  limited: (reason: Limited) => void;
}

export interface ClientEvents {
  /**
   * Opens an image, in place of the one before, or leaves it. `entered` is called once nothing of the image can be missed
   * any more, or with an error if the server can't say just now. What the user may not see is met with silence.
   */
  annotating: (
    event: { image_id: number; active: boolean },
    entered?: (answer?: Entered | Unavailable) => void,
  ) => void;
  /** Shows a dataset's list of images, in place of the one before, or leaves it. Answered like `annotating`. */
  listing: (event: { dataset_id: number; active: boolean }, listed?: (answer: Listed | Unavailable) => void) => void;
  annotation: (event: unknown) => void;
}

/** Sent by a client with its connection (`auth`) to get `presence` events in place of `annotating`. */
export const PRESENCE_IN_BATCHES = { presence: "batches" } as const;

/** Of the names, those that left come first: one in both was away. */
export interface PresenceChange {
  image_id: number;
  joined: string[];
  left: string[];
}

/** Users who have the image open; only for clients that take presence in batches. */
export interface Entered {
  usernames: string[];
}

/** Users who have images of the dataset open, by image. */
export interface Listed {
  images: { image_id: number; usernames: string[] }[];
}

/** The client is in no room; it should ask again later. */
export interface Unavailable {
  error: "unavailable";
}

/** Also the `data` of the error that refuses a connection. */
export interface Limited {
  code: "too_many_messages" | "too_many_connections";
  message: string;
  /** Seconds. */
  retry_after: number;
}

export interface AnnotationEvent {
  action: "create" | "modify" | "delete";
  /** The annotation as `GET /api/annotation/{id}` answers it, at least its id. */
  annotation: { id: number; image_id: number; category_id: number; uuid: string };
  category_id: number;
  /** The client that made the change: it ignores the event. */
  uuid: string | null;
  image_id: number;
  /** The image's revision after the change. */
  image_revision: number;
}

export interface TaskProgressEvent {
  id: number;
  /** Percent. */
  progress: number;
  warnings: number;
  errors: number;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  dataset_id: number | null;
}
