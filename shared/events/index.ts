/**
 * Socket.IO events. They are hints: truth is what the catch-up call and the task routes answer. The server sends
 * `annotation` after commit to the room of the picture; what a client sends under that name is ignored.
 */
export interface ServerEvents {
  annotation: (event: AnnotationEvent) => void;
  annotating: (event: { image_id: number; username: string; active: boolean }) => void;
  taskProgress: (event: TaskProgressEvent) => void;
}

export interface ClientEvents {
  /** `entered` is called once nothing of the picture can be missed any more. */
  annotating: (event: { image_id: number; active: boolean }, entered?: () => void) => void;
  annotation: (event: unknown) => void;
}

export interface AnnotationEvent {
  action: "create" | "modify" | "delete";
  /** The annotation as `GET /api/annotation/{id}` answers it, at least its id. */
  annotation: { id: number; image_id: number; category_id: number; uuid: string };
  category_id: number;
  /** The client that made the change: it ignores the event. */
  uuid: string | null;
  image_id: number;
  /** The picture's revision after the change. */
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
