import {
  createAnnotation as createCall,
  deleteAnnotation as deleteCall,
  getAnnotation,
  listAnnotations,
  updateAnnotation as updateCall,
} from "../../shared/api/annotation";
import { createAnnotation } from "../features/annotations/createAnnotation";
import { annotationPage, documentOf, findAnnotation } from "../features/annotations/findAnnotation";
import { deleteAnnotation, updateAnnotation } from "../features/annotations/updateAnnotation";
import { takerOf, withMeasuring } from "../features/measuring/measuring";
import { clientOf } from "../features/sentScenes/clientOf";
import { expectedRevision, tagRevision } from "./http/revisionTag";
import { type Route, route } from "./http/route";

export const annotationRoutes: Route[] = [
  route(listAnnotations, ({ query, person, services: { db } }) => annotationPage(db, person, query)),

  route(createCall, async ({ body, person, services, ctx }) => ({
    ...tagRevision(ctx, await createAnnotation(services, person, body, clientOf(ctx.state.identity, ctx.ip))),
    paper_object: [],
  })),

  route(getAnnotation, async ({ params, person, services: { db }, ctx }) => {
    const found = await findAnnotation(db, person, params.id);
    return tagRevision(ctx, await withMeasuring(takerOf(person), () => documentOf(found)));
  }),

  route(updateCall, async ({ params, body, person, services, ctx }) => {
    const asked = { client: clientOf(ctx.state.identity, ctx.ip), isExpected: expectedRevision(ctx) };
    return tagRevision(ctx, await updateAnnotation(services, person, params.id, body, asked));
  }),

  route(deleteCall, async ({ params, person, services, ctx }) => {
    const asked = { client: clientOf(ctx.state.identity, ctx.ip), isExpected: expectedRevision(ctx) };
    await deleteAnnotation(services, person, params.id, asked);
    return { success: true };
  }),
];
