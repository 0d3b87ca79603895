import type { DatasetPermissions } from "../../shared/entities/dataset";

/** The calling user. `anonymous` is the only one of an installation without login: owner of everything, never admin. */
export interface CurrentUser {
  id: number;
  username: string;
  name: string;
  isAdmin: boolean;
  anonymous: boolean;
}

/** The caller of calls that need no login. No row has this id. */
export const NOBODY: CurrentUser = { id: 0, username: "", name: "", isAdmin: false, anonymous: false };

/** Facts that rights on a dataset depend on. */
export interface DatasetTies {
  ownerId: number | null;
  isMember: boolean;
}

export const isOwner = (user: CurrentUser, dataset: DatasetTies): boolean =>
  user.isAdmin || user.anonymous || dataset.ownerId === user.id;

/** Open, annotate, copy, scan, import, statistics, members. */
export const isVisible = (user: CurrentUser, dataset: DatasetTies): boolean =>
  isOwner(user, dataset) || dataset.isMember;

export function datasetPermissions(user: CurrentUser, dataset: DatasetTies): DatasetPermissions {
  const owner = isOwner(user, dataset);
  return { owner, edit: isVisible(user, dataset), share: owner, generate: owner, delete: owner, download: owner };
}

/** A category is changed and deleted by its creator and by admins; members of a dataset that lists it use it. */
export const mayChangeCategory = (user: CurrentUser, category: { creator_id: number | null }): boolean =>
  user.isAdmin || user.anonymous || category.creator_id === user.id;
