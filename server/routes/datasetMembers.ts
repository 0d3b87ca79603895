import { findPossibleMembers, listMembers } from "../../shared/api/dataset";
import { ownedDataset, visibleDataset } from "../actions/access";
import { membersOf } from "../actions/membersOf";
import { possibleMembers } from "../actions/possibleMembers";
import { type Route, route } from "./route";

export const datasetMemberRoutes: Route[] = [
  route(listMembers, async ({ params, person, services: { db } }) =>
    membersOf(db, await visibleDataset(db, person, params.id)),
  ),

  route(findPossibleMembers, async ({ params, query, person, services: { db } }) => {
    const dataset = await ownedDataset(db, person, params.id, "You do not have permission to share this dataset");
    return possibleMembers(db, dataset, query.begin);
  }),
];
