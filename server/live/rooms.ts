/** Rooms of Socket.IO: the sockets that an event reaches. */
export const roomOf = {
  /** Those that have the image open. */
  image: (imageId: number) => `image ${imageId}`,
  /** Of those, the ones that take presence in batches. */
  batches: (imageId: number) => `batches ${imageId}`,
  /** And the ones that take an `annotating` event for each change. */
  singles: (imageId: number) => `singles ${imageId}`,
  /** Those that show the dataset's list of images. */
  list: (datasetId: number) => `list ${datasetId}`,
  /** All sockets of a user. */
  user: (userId: number) => `user ${userId}`,
  /** Of those, the ones that take an `annotating` event for each change in any list: they never say which they show. */
  userSingles: (userId: number) => `user singles ${userId}`,
  /** Those of a user's sockets that have an image of this dataset open. */
  member: (userId: number, datasetId: number) => `member ${userId} ${datasetId}`,
  /** Those of a user's sockets that show the dataset's list. */
  listMember: (userId: number, datasetId: number) => `list member ${userId} ${datasetId}`,
  /** Those that see everything: of admins, and of everybody where logins are off. */
  everything: "everything",
  /**
   * Clients of Socket.IO's 2.x line. The original's page would take what Limn sends of annotations for empty outlines,
   * and delete them at its next save (docs/decisions/0020).
   */
  olderClients: "older clients",
  everythingSingles: "everything singles",
  /** All that take an event for each change. */
  allSingles: "all singles",
} as const;
