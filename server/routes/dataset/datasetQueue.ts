import { listLeases, nextImage as nextCall, releaseImage } from "../../../shared/api/datasets/queue";
import { mayManage } from "../../base/permissions";
import { editableDataset, managedDataset } from "../../features/access/access";
import { leasesOf, release } from "../../features/assignment/leases";
import { nextImage } from "../../features/assignment/nextImage";
import { type Route, route } from "../http/route";

/** The queue of a dataset: leases of images. */
export const datasetQueueRoutes: Route[] = [
  route(nextCall, async ({ params, body, user, services }) =>
    nextImage(services, user, await editableDataset(services.db, user, params.id), body.except),
  ),

  route(listLeases, async ({ params, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, "You do not have permission to see who works on what");
    return leasesOf(db, dataset.id);
  }),

  route(releaseImage, async ({ params, user, services: { db, live } }) => {
    const dataset = await editableDataset(db, user, params.id);
    const released = await release(db, dataset.id, [params.imageId], mayManage(user, dataset) ? undefined : user.id);
    if (released.length > 0) live.notifyWork(dataset.id, released, "leases");
    return { success: true };
  }),
];
