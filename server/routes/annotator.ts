import { getAnnotatorData, getEdits, saveAnnotatorData, sendEdits } from "../../shared/api/annotator";
import { INSTALLATION_HEADER } from "../../shared/api/protocol/headers";
import { catchUp } from "../features/edits/catchUp";
import { storeBatch } from "../features/edits/storeBatch";
import { saveState } from "../features/olderClients/saveState";
import { getScene } from "../features/scene/getScene";
import type { SceneHead } from "../features/scene/readHead";
import { clientOf } from "../features/sentScenes/clientOf";
import { digestOf, recordScene } from "../features/sentScenes/sentScenes";
import { isFromPage } from "../middleware/requireInstallation";
import { isNotModified } from "./http/isNotModified";
import { JsonPieces } from "./http/jsonText";
import { type Route, route } from "./http/route";

export const annotatorRoutes: Route[] = [
  route(
    getAnnotatorData,
    async ({ params: { id }, query: { shape = "paper", ...listContext }, user, ctx, services }) => {
      const { db, live } = services;
      const client = clientOf(ctx.state.identity, ctx.ip);
      const isOlder = shape === "paper";
      const wanted = { imageId: id, listContext, shape, annotating: live.annotating(id) };
      // In another installation the same revisions may belong to other annotations. The id was checked before.
      const installation = ctx.get(INSTALLATION_HEADER);
      // Weak: responses that differ only in `time_ms` or compression are equivalent. The tag of an older client depends
      // on the client, since its scene refers to what it was sent.
      const isAtClient = (tag: string) =>
        isNotModified(ctx, `W/"${tag}${isOlder ? digestOf(client) : ""}${installation}"`);
      const record = isOlder ? (head: SceneHead) => recordScene(db, user, client, head) : undefined;
      const { json } = await getScene(db, user, { ...wanted, record }, isAtClient);
      return json && new JsonPieces(json);
    },
  ),

  route(saveAnnotatorData, async ({ body, user, services, ctx }) => {
    const start = performance.now();
    await saveState(services, user, clientOf(ctx.state.identity, ctx.ip), body);
    return { success: true, time_ms: Math.round(performance.now() - start) };
  }),

  route(sendEdits, async ({ body, user, services, ctx }) => {
    return { answers: await storeBatch(services, user, body, isFromPage(ctx.headers)) };
  }),

  route(getEdits, ({ params, query, user, services: { db } }) => catchUp(db, user, params.id, query.since)),
];
