import type { Context } from "koa";
import { z } from "zod";
import { getAnnotatorData, getEdits, getPlace, saveAnnotatorData, sendEdits } from "../../shared/api/annotator";
import { getHistory, getMoment, getVersions } from "../../shared/api/history";
import { INSTALLATION_HEADER } from "../../shared/api/protocol/headers";
import { readInstallation } from "../db/installation";
import { visibleImage } from "../features/access/access";
import { catchUp } from "../features/edits/catchUp";
import { storeBatch } from "../features/edits/storeBatch";
import { annotationVersions } from "../features/history/annotationVersions";
import { historySteps } from "../features/history/historySteps";
import { imageMoment } from "../features/history/imageMoment";
import { placeOf } from "../features/images/imagePlace";
import { saveState } from "../features/olderClients/saveState";
import { getScene } from "../features/scene/getScene";
import type { SceneHead } from "../features/scene/readHead";
import { clientOf } from "../features/sentScenes/clientOf";
import { digestOf, keepScene, recordScene } from "../features/sentScenes/sentScenes";
import type { Services } from "../features/services";
import { isFromPage } from "../middleware/requirePageOwner";
import { isNotModified } from "./http/isNotModified";
import { JsonPieces } from "./http/jsonText";
import { type Route, route } from "./http/route";

export const annotatorRoutes: Route[] = [
  route(
    getAnnotatorData,
    async ({ params: { id }, query: { shape = "paper", edits: editCount, ...listContext }, user, ctx, services }) => {
      const { db, live } = services;
      const client = clientOf(ctx.state.identity, ctx.ip);
      const isOlder = shape === "paper";
      const wanted = {
        imageId: id,
        listContext,
        shape,
        editCount,
        annotating: live.annotating(id),
        isFirst: !ctx.get("If-None-Match"),
      };
      // The tag includes the installation id, since in another installation the same revisions may belong to other
      // annotations. Limn's page has sent the id, which is checked already. Older clients receive the id; it is read
      // before the scene, so that their saves are refused after a restore.
      const installation = isOlder ? (await readInstallation(db)).id : ctx.get(INSTALLATION_HEADER);
      const kept = isOlder ? await keptScene(ctx, services, client, id) : "";
      let newest = "";
      const isAtClient = (tag: string) => {
        newest = `${tag}${isOlder ? digestOf(client) : ""}${installation}`;
        return isNotModified(ctx, weak(newest + kept));
      };
      const recordAndTag = async (head: SceneHead) => {
        const scene = await recordScene(db, user, client, head);
        ctx.set("ETag", weak(newest + scene));
        return { scene, installation };
      };
      const record = isOlder ? recordAndTag : undefined;
      const { json } = await getScene(db, user, { ...wanted, record }, isAtClient);
      return json && new JsonPieces(json);
    },
  ),

  route(getPlace, async ({ params, query, user, services: { db } }) => {
    const { image } = await visibleImage(db, user, params.id);
    return placeOf(db, image, query);
  }),

  route(saveAnnotatorData, async ({ body, user, services, ctx }) => {
    const start = performance.now();
    await saveState(services, user, clientOf(ctx.state.identity, ctx.ip), body);
    return { success: true, time_ms: Math.round(performance.now() - start) };
  }),

  route(sendEdits, async ({ body, user, services, ctx }) => {
    return { answers: await storeBatch(services, user, body, isFromPage(ctx.headers)) };
  }),

  route(getEdits, ({ params, query, user, services: { db } }) =>
    catchUp(db, user, params.id, query.since, query.comments),
  ),

  route(getHistory, ({ params, query, user, services: { db } }) => historySteps(db, user, params.id, query.before)),

  route(getMoment, async ({ params, query, user, services: { db } }) => {
    return new JsonPieces(await imageMoment(db, user, params.id, query.revision));
  }),

  route(getVersions, ({ params: { id, uuid }, query, user, services: { db } }) =>
    annotationVersions(db, user, { imageId: id, uuid, before: query.before }),
  ),
];

/** Weak: responses that differ only in `time_ms` or compression are equivalent. */
const weak = (tag: string): string => `W/"${tag}"`;

/**
 * Returns the id of the scene that an older client has cached, from the end of its entity tag. The client's saves refer
 * to that scene, so it must still be stored. Otherwise returns an empty text, which no tag of an older client ends
 * with. Also returns it if the client may have the scene open on another page, since the saves of two pages with the
 * same scene could not be told apart.
 */
async function keptScene(ctx: Context, { db, live }: Services, client: string, imageId: number): Promise<string> {
  if (live.olderPages.isOpen({ imageId, client })) return "";
  const [name] = /[0-9a-f-]{36}(?="$)/.exec(ctx.get("If-None-Match")) ?? [];
  return name && isUuid(name) && (await keepScene(db, client, imageId, name)) ? name : "";
}

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success;
