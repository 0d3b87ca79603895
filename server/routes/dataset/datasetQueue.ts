import * as calls from "../../../shared/api/datasets/queue";
import { mayManage } from "../../base/permissions";
import { editableDataset, managedDataset } from "../../features/access/access";
import { leasesOf, release } from "../../features/assignment/leases";
import { nextImage } from "../../features/assignment/nextImage";
import { countEmbeddings } from "../../features/embeddings/embeddingRows";
import { startEmbedding } from "../../features/embeddings/startEmbedding";
import { type Route, route } from "../http/route";
import { started } from "../http/started";

const FORBIDDEN = "You do not have permission to change the queue of the dataset";

/** The queue of a dataset: leases of images, and comparing images for their order. */
export const datasetQueueRoutes: Route[] = [
  route(calls.nextImage, async ({ params, body, user, services }) =>
    nextImage(services, user, await editableDataset(services.db, user, params.id), body.except),
  ),

  route(calls.listLeases, async ({ params, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, "You do not have permission to see who works on what");
    return leasesOf(db, dataset.id);
  }),

  route(calls.releaseImage, async ({ params, query, user, services: { db, live } }) => {
    const dataset = await editableDataset(db, user, params.id);
    const userId = mayManage(user, dataset) ? null : user.id;
    const released = await release(db, dataset.id, [params.imageId], { userId, username: query.username ?? null });
    if (released.length > 0) live.notifyWork(dataset.id, released, "leases");
    return { success: true };
  }),

  route(calls.getComparedImages, async ({ params, user, services: { db } }) =>
    countEmbeddings(db, (await managedDataset(db, user, params.id, FORBIDDEN)).id),
  ),

  route(calls.compareImages, async ({ params, user, services }) =>
    started(await startEmbedding(services, await managedDataset(services.db, user, params.id, FORBIDDEN), user)),
  ),
];
