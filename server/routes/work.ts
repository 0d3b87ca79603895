import { getWork } from "../../shared/api/work";
import { workOf } from "../features/assignment/workOf";
import { type Route, route } from "./http/route";

export const workRoutes: Route[] = [route(getWork, ({ user, services: { db } }) => workOf(db, user))];
