import { deleteForGood as deleteCall, listUndo, rollBack as rollBackCall } from "../../shared/api/undo";
import { deleteForGood } from "../features/trash/deleteForGood";
import { listDeleted } from "../features/trash/listDeleted";
import { rollBack } from "../features/trash/rollBack";
import { type Route, route } from "./http/route";

export const undoRoutes: Route[] = [
  route(listUndo, ({ query, user, services: { db } }) => listDeleted(db, user, query)),

  route(rollBackCall, async ({ query: { id, instance }, user, services }) => ({
    success: true,
    ...(await rollBack(services, user, instance, id)),
  })),

  route(deleteCall, async ({ query: { id, instance, date }, user, services }) => ({
    success: true,
    ...(await deleteForGood(services, user, instance, { id, date: date === undefined ? undefined : new Date(date) })),
  })),
];
