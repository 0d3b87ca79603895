import { expect, test } from "vitest";
import {
  type CurrentUser,
  datasetPermissions,
  isOwner,
  mayEdit,
  mayManage,
  mayReview,
  maySee,
} from "../../../server/base/permissions";
import { MEMBER_ROLES } from "../../../shared/entities/member";

const ann: CurrentUser = { id: 1, username: "ann", name: "", isAdmin: false, anonymous: false };
const predicates = { maySee, mayEdit, mayReview, mayManage, isOwner };

const rightsOf = (user: CurrentUser, ties: Parameters<typeof maySee>[1]) =>
  Object.entries(predicates).flatMap(([name, may]) => (may(user, ties) ? [name] : []));

test("each role has the rights of the roles before it, and the owner has all", () => {
  const all = Object.keys(predicates);
  expect(rightsOf(ann, { ownerId: 2, role: null })).toEqual([]);
  for (const [i, role] of MEMBER_ROLES.entries())
    expect([role, rightsOf(ann, { ownerId: 2, role })]).toEqual([role, all.slice(0, i + 1)]);
  expect(rightsOf(ann, { ownerId: 1, role: null })).toEqual(all);
});

test("admins, and everyone while login is disabled, have all rights to any dataset", () => {
  for (const more of [{ isAdmin: true }, { anonymous: true }])
    expect(rightsOf({ ...ann, ...more }, { ownerId: 2, role: null })).toEqual(Object.keys(predicates));
});

test("an owner who is still listed as a viewer keeps all rights", () => {
  expect(rightsOf(ann, { ownerId: 1, role: "viewer" })).toEqual(Object.keys(predicates));
});

test("the API sends the rights of each role", () => {
  const may = (ties: Parameters<typeof maySee>[1]) =>
    Object.entries(datasetPermissions(ann, ties)).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));
  expect(may({ ownerId: 2, role: "viewer" })).toEqual([]);
  expect(may({ ownerId: 2, role: "annotator" })).toEqual(["edit"]);
  expect(may({ ownerId: 2, role: "reviewer" })).toEqual(["edit", "review"]);
  const maintainers = ["edit", "review", "manage", "share", "generate", "download"];
  expect(may({ ownerId: 2, role: "maintainer" })).toEqual(maintainers);
  expect(may({ ownerId: 1, role: null }).sort()).toEqual([...maintainers, "owner", "delete"].sort());
});
