import { getAnnotatorData, getEdits, saveAnnotatorData, sendEdits } from "../../shared/api/annotator";
import { getScene } from "../actions/annotations/getScene";
import { saveState } from "../actions/annotations/saveState";
import { catchUp } from "../actions/edits/catchUp";
import { storeBatch } from "../actions/edits/storeBatch";
import { type Route, route } from "./route";

export const annotatorRoutes: Route[] = [
  route(getAnnotatorData, async ({ params, query: { shape, ...walk }, person, services: { db, live } }) => {
    const scene = await getScene(db, person, params.id, walk);
    const data = shape === "rings" ? scene.rings() : scene.paper();
    return { ...data, image: { ...data.image, annotating: live.annotating(params.id) } };
  }),

  route(saveAnnotatorData, async ({ body, person, services }) => {
    const start = performance.now();
    await saveState(services, person, body);
    return { success: true, time_ms: Math.round(performance.now() - start) };
  }),

  route(sendEdits, async ({ body, person, services }) => ({ answers: await storeBatch(services, person, body) })),

  route(getEdits, ({ params, query, person, services: { db } }) => catchUp(db, person, params.id, query.since)),
];
