/** A user at an image, in the format sent between processes. */
export type WirePresent = [imageId: number, datasetId: number, username: string];

/**
 * Message in which a process shares its users with the other processes of the installation. Each process numbers its
 * changes, so that a receiver that has missed some can request all.
 */
export type PresenceMessage =
  /** Users who have opened (true) or left (false) an image since the previous message of changes. */
  | { kind: "changes"; from: string; number: number; changes: [...WirePresent, boolean][] }
  /** All users, after the changes up to this number. */
  | { kind: "all"; from: string; number: number; people: WirePresent[] }
  /** Heartbeat. */
  | { kind: "alive"; from: string; number: number }
  /** Requests all users of a process. */
  | { kind: "ask"; from: string; of: string }
  /** The process is stopping. */
  | { kind: "gone"; from: string };

/** Events between the processes of one installation. */
export interface ProcessEvents {
  drop: (room: string) => void;
  presence: (message: PresenceMessage) => void;
  /** Datasets whose cached figures are outdated. */
  figures: (datasetIds: number[]) => void;
}
