import { listMembers } from "../../shared/api/dataset";
import { visibleDataset } from "../actions/access";
import { membersOf } from "../actions/membersOf";
import { type Route, route } from "./route";

export const datasetMemberRoutes: Route[] = [
  route(listMembers, async ({ params, person, services: { db } }) =>
    membersOf(db, await visibleDataset(db, person, params.id)),
  ),
];
