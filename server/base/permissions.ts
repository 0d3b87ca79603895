import type { DatasetPermissions } from "../../shared/entities/dataset";
import { type MemberRole, rolesFrom } from "../../shared/entities/member";

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
  /** Null if the user is no member. */
  role: MemberRole | null;
}

/**
 * Returns true for the owner and for admins. Only they may do what cannot be taken back: delete the dataset, delete
 * anything for good, and reset the metadata. Only they make and remove maintainers.
 */
export const isOwner = (user: CurrentUser, dataset: DatasetTies): boolean =>
  user.isAdmin || user.anonymous || dataset.ownerId === user.id;

/**
 * Returns true if the user may see everything in the dataset, copy it for offline work, and see who its members are.
 */
export const maySee = (user: CurrentUser, dataset: DatasetTies): boolean => hasRole(user, dataset, "viewer");

/** Returns true if the user may annotate, change images in bulk, upload, scan, import, and choose categories. */
export const mayEdit = (user: CurrentUser, dataset: DatasetTies): boolean => hasRole(user, dataset, "annotator");

/** Returns true if the user may accept images and return them. */
export const mayReview = (user: CurrentUser, dataset: DatasetTies): boolean => hasRole(user, dataset, "reviewer");

/**
 * Returns true if the user may change the settings and the roles of others, export, delete images, and take back what
 * others have done.
 */
export const mayManage = (user: CurrentUser, dataset: DatasetTies): boolean => hasRole(user, dataset, "maintainer");

const hasRole = (user: CurrentUser, dataset: DatasetTies, least: MemberRole): boolean =>
  isOwner(user, dataset) || (dataset.role !== null && rolesFrom(least).includes(dataset.role));

/** Returns a user's permissions on a dataset in the form that the API sends. */
export function datasetPermissions(user: CurrentUser, dataset: DatasetTies): DatasetPermissions {
  const owner = isOwner(user, dataset);
  const manage = mayManage(user, dataset);
  return {
    ...{ owner, edit: mayEdit(user, dataset), review: mayReview(user, dataset), manage },
    ...{ share: manage, generate: manage, delete: owner, download: manage },
  };
}

/**
 * Returns true for the category's creator and for admins. Other members of a dataset that lists the category may only
 * use it.
 */
export const mayChangeCategory = (user: CurrentUser, category: { creator_id: number | null }): boolean =>
  user.isAdmin || user.anonymous || category.creator_id === user.id;
