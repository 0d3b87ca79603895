import { findPossibleMembers, listMembers } from "../../../shared/api/datasets/datasetMembers";
import { managedDataset, visibleDataset } from "../../features/access/access";
import { membersOf } from "../../features/datasets/membersOf";
import { possibleMembers } from "../../features/datasets/possibleMembers";
import { type Route, route } from "../http/route";

export const datasetMemberRoutes: Route[] = [
  route(listMembers, async ({ params, user, services: { db } }) =>
    membersOf(db, await visibleDataset(db, user, params.id)),
  ),

  route(findPossibleMembers, async ({ params, query, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, "You do not have permission to share this dataset");
    return possibleMembers(db, dataset, query.begin);
  }),
];
