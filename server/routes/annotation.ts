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
import { requesterOf, withMeasuring } from "../features/measuring/measuring";
import { clientOf, isFromOlderPage } from "../features/sentScenes/clientOf";
import { JsonPieces } from "./http/jsonText";
import { expectedRevision, tagRevision } from "./http/revisionTag";
import { type Route, route } from "./http/route";

export const annotationRoutes: Route[] = [
  route(
    listAnnotations,
    async ({ query, user, services: { db } }) => new JsonPieces(await annotationPage(db, user, query)),
  ),

  route(createCall, async ({ body, user, services, ctx }) => ({
    ...tagRevision(ctx, await createAnnotation(services, user, body, clientOf(ctx.state.identity, ctx.ip))),
    paper_object: [],
  })),

  route(getAnnotation, async ({ params, user, services: { db }, ctx }) => {
    const found = await findAnnotation(db, user, params.id);
    return tagRevision(ctx, await withMeasuring(requesterOf(user), () => documentOf(found)));
  }),

  route(updateCall, async ({ params, body, user, services, ctx }) => {
    const options = { client: clientOf(ctx.state.identity, ctx.ip), isExpected: expectedRevision(ctx) };
    return tagRevision(ctx, await updateAnnotation(services, user, params.id, body, options));
  }),

  route(deleteCall, async ({ params, user, services, ctx }) => {
    const { identity } = ctx.state;
    const isOlderPage = isFromOlderPage(identity, ctx.headers);
    const options = { client: clientOf(identity, ctx.ip), isExpected: expectedRevision(ctx), isOlderPage };
    await deleteAnnotation(services, user, params.id, options);
    return { success: true };
  }),
];
