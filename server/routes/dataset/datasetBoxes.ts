import { countBoxes, outlineBoxes, restoreBoxes } from "../../../shared/api/datasets/boxes";
import { editableDataset, visibleDataset } from "../../features/access/access";
import { listChanges } from "../../features/boxes/boxesBefore";
import { countBoxes as count } from "../../features/boxes/selectBoxes";
import { selectedBoxes, startOutlines, startRestore } from "../../features/boxes/startOutlines";
import { type Route, route } from "../http/route";
import { started } from "../http/started";

/** Boxes that become outlines. */
export const datasetBoxRoutes: Route[] = [
  route(countBoxes, async ({ params, body, user, services: { db } }) => {
    const dataset = await visibleDataset(db, user, params.id);
    const found = await count(db, await selectedBoxes(db, dataset.id, body));
    const changes = await listChanges(db, dataset.id);
    return {
      ...found,
      changes: changes.map(({ undo, boxes, made_at, person_id }) => ({
        undo,
        boxes,
        made_at: made_at.toISOString(),
        is_own: person_id === user.id,
      })),
    };
  }),

  route(outlineBoxes, async ({ params, body, user, services }) =>
    started(await startOutlines(services, user, await editableDataset(services.db, user, params.id), body)),
  ),

  route(restoreBoxes, async ({ params, body, user, services }) =>
    started(await startRestore(services, user, await editableDataset(services.db, user, params.id), body.undo)),
  ),
];
