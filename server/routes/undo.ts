import { deleteForGood as deleteCall, listUndo, rollBack as rollBackCall } from "../../shared/api/undo";
import { deleteForGood } from "../features/trash/deleteForGood";
import { listDeleted } from "../features/trash/listDeleted";
import { rollBack } from "../features/trash/rollBack";
import { type Route, route } from "./http/route";

export const undoRoutes: Route[] = [
  route(listUndo, ({ query, person, services: { db } }) => listDeleted(db, person, query)),

  route(rollBackCall, async ({ query: { id, instance }, person, services }) => ({
    success: true,
    ...(await rollBack(services, person, instance, id)),
  })),

  route(deleteCall, async ({ query: { id, instance }, person, services }) => ({
    success: true,
    ...(await deleteForGood(services, person, instance, id)),
  })),
];
