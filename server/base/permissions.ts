import type { DatasetPermissions } from "../../shared/entities/dataset";

/** The calling user. `anonymous` is the only one of an installation without login: owner of everything, never admin. */
export interface Person {
  id: number;
  username: string;
  name: string;
  isAdmin: boolean;
  anonymous: boolean;
}

/** The caller of calls that need no login. No row has this id. */
export const NOBODY: Person = { id: 0, username: "", name: "", isAdmin: false, anonymous: false };

/** Facts that rights on a dataset depend on. */
export interface DatasetTies {
  ownerId: number | null;
  isMember: boolean;
}

export const isOwner = (person: Person, dataset: DatasetTies): boolean =>
  person.isAdmin || person.anonymous || dataset.ownerId === person.id;

/** Open, annotate, copy, scan, import, statistics, members. */
export const isVisible = (person: Person, dataset: DatasetTies): boolean =>
  isOwner(person, dataset) || dataset.isMember;

export function datasetPermissions(person: Person, dataset: DatasetTies): DatasetPermissions {
  const owner = isOwner(person, dataset);
  return { owner, edit: isVisible(person, dataset), share: owner, generate: owner, delete: owner, download: owner };
}

/** A category is changed and deleted by its creator and by admins; members of a dataset that lists it use it. */
export const mayChangeCategory = (person: Person, category: { creator_id: number | null }): boolean =>
  person.isAdmin || person.anonymous || category.creator_id === person.id;
