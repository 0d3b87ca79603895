import type { DatasetPermissions } from "../../shared/entities/dataset";

/**
 * The calling user. With login disabled, every caller is the user `anonymous`, who owns everything but is not an admin.
 */
export interface CurrentUser {
  id: number;
  username: string;
  name: string;
  isAdmin: boolean;
  anonymous: boolean;
}

/** The user of calls that need no login. No row has this id. */
export const NOBODY: CurrentUser = { id: 0, username: "", name: "", isAdmin: false, anonymous: false };

/** A user's relation to a dataset, which determines the user's rights. */
export interface DatasetTies {
  ownerId: number | null;
  isMember: boolean;
}

export const isOwner = (user: CurrentUser, dataset: DatasetTies): boolean =>
  user.isAdmin || user.anonymous || dataset.ownerId === user.id;

/**
 * Returns true if the user may open, annotate, copy and scan the dataset, import into it, and see its statistics and
 * members.
 */
export const isVisible = (user: CurrentUser, dataset: DatasetTies): boolean =>
  isOwner(user, dataset) || dataset.isMember;

/** Returns a user's permissions on a dataset in the form that the API sends. */
export function datasetPermissions(user: CurrentUser, dataset: DatasetTies): DatasetPermissions {
  const owner = isOwner(user, dataset);
  return { owner, edit: isVisible(user, dataset), share: owner, generate: owner, delete: owner, download: owner };
}

/**
 * Returns true for the category's creator and for admins. Other members of a dataset that lists the category may only
 * use it.
 */
export const mayChangeCategory = (user: CurrentUser, category: { creator_id: number | null }): boolean =>
  user.isAdmin || user.anonymous || category.creator_id === user.id;
