/** Names of the Socket.IO rooms, each a set of sockets that receive an event. */
export const roomOf = {
  /** Sockets that have the image open. */
  image: (imageId: number) => `image ${imageId}`,
  /** Sockets that have the image open and receive presence in batches. */
  batches: (imageId: number) => `batches ${imageId}`,
  /** Sockets that have the image open and receive an `annotating` event for each change. */
  singles: (imageId: number) => `singles ${imageId}`,
  /** Sockets that have an image of the dataset open. */
  images: (datasetId: number) => `images ${datasetId}`,
  /** Sockets that show the dataset's list of images. */
  list: (datasetId: number) => `list ${datasetId}`,
  /** All sockets of a user. */
  user: (userId: number) => `user ${userId}`,
  /**
   * A user's sockets that receive an `annotating` event for each change in any list, since they do not send which list
   * they show.
   */
  userSingles: (userId: number) => `user singles ${userId}`,
  /** A user's sockets that have an image of this dataset open. */
  member: (userId: number, datasetId: number) => `member ${userId} ${datasetId}`,
  /** A user's sockets that show the dataset's list. */
  listMember: (userId: number, datasetId: number) => `list member ${userId} ${datasetId}`,
  /** Sockets that receive everything: those of admins, or all of them with login disabled. */
  everything: "everything",
  /**
   * Clients of Socket.IO 2.x. The original application's page would read Limn's annotation events as empty shapes, and
   * delete those annotations at its next save (docs/decisions/0020).
   */
  olderClients: "older clients",
  everythingSingles: "everything singles",
  /** All sockets that receive an event for each change. */
  allSingles: "all singles",
} as const;
