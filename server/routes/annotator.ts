import { getAnnotatorData, getEdits, saveAnnotatorData, sendEdits } from "../../shared/api/annotator";
import { INSTALLATION_HEADER } from "../../shared/api/headers";
import { saveState } from "../actions/annotations/saveState";
import { catchUp } from "../actions/edits/catchUp";
import { storeBatch } from "../actions/edits/storeBatch";
import { clientOf } from "../actions/olderClients/clientOf";
import { digestOf, recordScene } from "../actions/olderClients/sentScenes";
import { getScene } from "../actions/scene/getScene";
import type { SceneHead } from "../actions/scene/readHead";
import { isFromPage } from "../middleware/requireInstallation";
import { isKept } from "./isKept";
import { JsonText } from "./jsonText";
import { type Route, route } from "./route";

export const annotatorRoutes: Route[] = [
  route(getAnnotatorData, async ({ params: { id }, query: { shape = "paper", ...walk }, person, ctx, services }) => {
    const { db, live } = services;
    const client = clientOf(ctx.state.identity, ctx.ip);
    const isOlder = shape === "paper";
    const wanted = { imageId: id, walk, shape, annotating: live.annotating(id) };
    // In another installation the same revisions may be other annotations. The id was checked before.
    const installation = ctx.get(INSTALLATION_HEADER);
    // Weak: answers that differ in `time_ms` or are packed in another way say the same. What an older client keeps names
    // what this very client was sent.
    const isAtClient = (tag: string) => isKept(ctx, `W/"${tag}${isOlder ? digestOf(client) : ""}${installation}"`);
    const record = isOlder ? (head: SceneHead) => recordScene(db, person, client, head) : undefined;
    const { json } = await getScene(db, person, { ...wanted, record }, isAtClient);
    return json === undefined ? undefined : new JsonText(json);
  }),

  route(saveAnnotatorData, async ({ body, person, services, ctx }) => {
    const start = performance.now();
    await saveState(services, person, clientOf(ctx.state.identity, ctx.ip), body);
    return { success: true, time_ms: Math.round(performance.now() - start) };
  }),

  route(sendEdits, async ({ body, person, services, ctx }) => {
    return { answers: await storeBatch(services, person, body, isFromPage(ctx.headers)) };
  }),

  route(getEdits, ({ params, query, person, services: { db } }) => catchUp(db, person, params.id, query.since)),
];
