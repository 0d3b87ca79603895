import { getManifest, getScenes } from "../../shared/api/offline";
import { mayManage } from "../base/permissions";
import { visibleDataset } from "../features/access/access";
import { manifest } from "../features/offline/manifest";
import { scenes } from "../features/offline/scenes";
import { JsonPieces } from "./http/jsonText";
import { type Route, route } from "./http/route";

export const offlineRoutes: Route[] = [
  route(getManifest, async ({ params, user, services: { db } }) => new JsonPieces(await manifest(db, user, params.id))),

  route(getScenes, async ({ params, body, user, services: { db } }) => {
    const dataset = await visibleDataset(db, user, params.id);
    return new JsonPieces(scenes(db, dataset.id, { ids: body.ids, withExtra: mayManage(user, dataset) }));
  }),
];
