/** Rooms of Socket.IO: whom an event reaches. */
export const roomOf = {
  /** Those who have the picture open. */
  image: (imageId: number) => `image ${imageId}`,
  /** All sockets of a person. */
  user: (userId: number) => `user ${userId}`,
  /** Those of a person's sockets that have a picture of this dataset open. */
  member: (userId: number, datasetId: number) => `member ${userId} ${datasetId}`,
  /** Those who see everything: admins, and everybody where logins are off. */
  everything: "everything",
  /**
   * Clients of Socket.IO's 2.x line. The original's page would take what Limn sends of annotations for empty outlines,
   * and delete them at its next save (docs/decisions/0020).
   */
  olderClients: "older clients",
} as const;
