import { getAnnotatorData, getEdits, saveAnnotatorData, sendEdits } from "../../shared/api/annotator";
import { saveState } from "../actions/annotations/saveState";
import { catchUp } from "../actions/edits/catchUp";
import { storeBatch } from "../actions/edits/storeBatch";
import { getScene } from "../actions/scene/getScene";
import { isKept } from "./isKept";
import { JsonText } from "./jsonText";
import { type Route, route } from "./route";

export const annotatorRoutes: Route[] = [
  route(getAnnotatorData, async ({ params: { id }, query: { shape = "paper", ...walk }, person, ctx, services }) => {
    const wanted = { imageId: id, walk, shape, annotating: services.live.annotating(id) };
    // Weak: answers that differ in `time_ms` or are packed in another way say the same.
    const { json } = await getScene(services.db, person, wanted, (tag) => isKept(ctx, `W/"${tag}"`));
    return json === undefined ? undefined : new JsonText(json);
  }),

  route(saveAnnotatorData, async ({ body, person, services }) => {
    const start = performance.now();
    await saveState(services, person, body);
    return { success: true, time_ms: Math.round(performance.now() - start) };
  }),

  route(sendEdits, async ({ body, person, services }) => ({ answers: await storeBatch(services, person, body) })),

  route(getEdits, ({ params, query, person, services: { db } }) => catchUp(db, person, params.id, query.since)),
];
