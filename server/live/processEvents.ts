/** A user at an image, as processes write it: image, dataset, name. */
export type WirePresent = [imageId: number, datasetId: number, username: string];

/**
 * Processes of one installation tell each other of the users at their images. Each numbers its changes, so that one
 * that misses some notices, and asks for all.
 */
export type PresenceMessage =
  /** Came (true) and left since the change before. */
  | { kind: "changes"; from: string; number: number; changes: [...WirePresent, boolean][] }
  /** All, as of the change of that number. */
  | { kind: "all"; from: string; number: number; people: WirePresent[] }
  /** A sign of life. */
  | { kind: "alive"; from: string; number: number }
  /** Asks a process for all. */
  | { kind: "ask"; from: string; of: string }
  /** The process ends. */
  | { kind: "gone"; from: string };

/** Events between the processes of one installation. */
export interface ProcessEvents {
  drop: (room: string) => void;
  presence: (message: PresenceMessage) => void;
}
