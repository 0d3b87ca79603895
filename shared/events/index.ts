/**
 * Socket.IO events. They are only hints: the authoritative state comes from the catch-up call and the task calls. The
 * server sends `annotation` to the image's room after the commit, and ignores that event from clients.
 */
export interface ServerEvents {
  annotation: (event: AnnotationEvent) => void;
  /** A user opened or left an image. Sent to clients that did not request `presence`. */
  annotating: (event: { image_id: number; username: string; active: boolean }) => void;
  /** Users who opened or left the image that the client has open, or images of the list that it shows. */
  presence: (changes: PresenceChange[]) => void;
  /** Another user's pointer or selection on the image that the client has open has changed. */
  pointing: (event: OthersPointing) => void;
  /** Sent to a user whose role in the dataset has changed. */
  role: (event: { dataset_id: number }) => void;
  taskProgress: (event: TaskProgressEvent) => void;
  /**
   * A category of the dataset, or the list of its categories, has changed. Sent to clients that have an image of the
   * dataset open.
   */
  categories: (event: CategoriesEvent) => void;
  /** Sent to the pages that show the dataset's list, and to the users concerned. */
  work: (event: WorkEvent) => void;
  /** The number of comments that concern the user and are unread may have changed. */
  comments: () => void;
  /** The server is about to disconnect the client for sending too much. */
  limited: (reason: Limited) => void;
}

export interface ClientEvents {
  /**
   * Opens an image in place of the previous one, or leaves it. `entered` is called once the client receives all further
   * events of the image, or with an error if the server cannot add the client to the room at the moment. There is no
   * response for an image that the user may not see.
   */
  annotating: (
    event: { image_id: number; active: boolean },
    entered?: (answer?: Entered | Unavailable) => void,
  ) => void;
  /** Opens a dataset's list of images in place of the previous one, or leaves it. Acknowledged like `annotating`. */
  listing: (event: { dataset_id: number; active: boolean }, listed?: (answer: Listed | Unavailable) => void) => void;
  annotation: (event: unknown) => void;
  /** The user's pointer or selection on the open image, for the other users who have it open. Nothing is stored. */
  pointing: (event: Pointing) => void;
}

/** Maximum number of selected annotations that are sent to other users. */
export const MAX_POINTED = 50;

export interface Pointing {
  image_id: number;
  /** Position of the pointer in image pixels; null if it is not over the canvas. */
  place: [x: number, y: number] | null;
  /** Uuids of selected annotations, at most MAX_POINTED. */
  selected: string[];
}

export interface OthersPointing extends Pointing {
  /** Id of the tab. It lasts as long as the tab's connection. */
  from: string;
  username: string;
}

/** Sent by a client as it connects (`auth`) to receive `presence` events instead of `annotating`. */
export const PRESENCE_IN_BATCHES = { presence: "batches" } as const;

/** Apply `left` before `joined`: a name in both left and came back. */
export interface PresenceChange {
  image_id: number;
  joined: string[];
  left: string[];
}

/** Users who have the image open; only for clients that receive presence in batches. */
export interface Entered {
  usernames: string[];
}

/** Users who have images of the dataset open, by image. */
export interface Listed {
  images: { image_id: number; usernames: string[] }[];
}

/** The client has not joined a room and should try again later. */
export interface Unavailable {
  error: "unavailable";
}

/** Reason for a disconnection; also the `data` of the error that refuses a connection. */
export interface Limited {
  code: "too_many_messages" | "too_many_connections";
  message: string;
  /** Seconds to wait before connecting again. */
  retry_after: number;
}

export interface AnnotationEvent {
  action: "create" | "modify" | "delete";
  /** The annotation as `GET /api/annotation/{id}` returns it; only these fields are always present. */
  annotation: { id: number; image_id: number; category_id: number; uuid: string };
  category_id: number;
  /** Id of the client that made the change, which ignores the event. */
  uuid: string | null;
  image_id: number;
  /** The image's revision after the change. */
  image_revision: number;
}

export interface CategoriesEvent {
  dataset_id: number;
  /** Id of the client that made the change, which ignores the event. */
  uuid: string | null;
}

/** Assignments, stages or leases of a dataset's images have changed. */
export interface WorkEvent {
  dataset_id: number;
  /** `assignments`: stages too. */
  what: "assignments" | "leases";
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
