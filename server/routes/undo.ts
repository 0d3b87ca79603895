import { deleteForGood as deleteCall, listUndo, rollBack as rollBackCall } from "../../shared/api/undo";
import { deleteForGood } from "../actions/undo/deleteForGood";
import { listDeleted } from "../actions/undo/listDeleted";
import { rollBack } from "../actions/undo/rollBack";
import { type Route, route } from "./route";

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
