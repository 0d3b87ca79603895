import {
  createAnnotation as createCall,
  deleteAnnotation as deleteCall,
  getAnnotation,
  listAnnotations,
  updateAnnotation as updateCall,
} from "../../shared/api/annotation";
import { createAnnotation } from "../actions/annotations/createAnnotation";
import { annotationPage, documentOf, findAnnotation } from "../actions/annotations/findAnnotation";
import { deleteAnnotation, updateAnnotation } from "../actions/annotations/updateAnnotation";
import { type Route, route } from "./route";

export const annotationRoutes: Route[] = [
  route(listAnnotations, ({ query, person, services: { db } }) => annotationPage(db, person, query)),

  route(createCall, ({ body, person, services }) => createAnnotation(services, person, body)),

  route(getAnnotation, async ({ params, person, services: { db } }) =>
    documentOf(await findAnnotation(db, person, params.id)),
  ),

  route(updateCall, ({ params, body, person, services }) => updateAnnotation(services, person, params.id, body)),

  route(deleteCall, async ({ params, person, services }) => {
    await deleteAnnotation(services, person, params.id);
    return { success: true };
  }),
];
