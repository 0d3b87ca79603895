import { generateDataset } from "../../../shared/api/datasets/datasetImages";
import { transaction } from "../../db/transaction";
import { managedDataset } from "../../features/access/access";
import { enqueue } from "../../queue/queue";
import { type Route, route } from "../http/route";
import { started } from "../http/started";

export const generateRoutes: Route[] = [
  route(generateDataset, async ({ params, body: { keywords, limit }, user, services: { db, wakeRunner } }) => {
    const dataset = await managedDataset(db, user, params.id, "You do not have permission to generate images");
    const queued = await transaction(db, (trx) =>
      enqueue(trx, {
        kind: "generate",
        name: `Generating images for ${dataset.name}`,
        key: `generate:${dataset.id}:${limit}:${keywords.join(",")}`,
        payload: { dataset_id: dataset.id, keywords, limit },
        creatorId: user.id,
        datasetId: dataset.id,
      }),
    );
    wakeRunner();
    return { ...started(queued), success: true };
  }),
];
