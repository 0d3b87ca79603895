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
} as const;
