import * as calls from "../../../shared/api/datasets/consensus";
import { forbidden } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import { managedDataset, visibleImage } from "../../features/access/access";
import { consensusFigures, consensusImages } from "../../features/consensus/consensusFigures";
import { consensusImage } from "../../features/consensus/consensusImage";
import { startGiving } from "../../features/consensus/give/startGiving";
import { storeTruth, takeBack } from "../../features/consensus/give/takeBack";
import { mergeCopies, undoMerge } from "../../features/consensus/merge";
import type { Services } from "../../features/services";
import { type Route, route } from "../http/route";
import { started } from "../http/started";

const MAINTAINERS_ONLY = "Only maintainers can compare the work of annotators";

/** Images that are given to several annotators, and the comparison of their work. */
export const datasetConsensusRoutes: Route[] = [
  route(calls.getConsensus, async ({ params, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, MAINTAINERS_ONLY);
    return consensusFigures(db, dataset.id);
  }),

  route(calls.listConsensusImages, async ({ params, query, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, MAINTAINERS_ONLY);
    return consensusImages(db, dataset.id, query);
  }),

  route(calls.giveImages, async ({ params, body, user, services }) => {
    const dataset = await managedDataset(services.db, user, params.id, MAINTAINERS_ONLY);
    return started(await startGiving(services, user, dataset, body));
  }),

  route(calls.takeBackCopies, async ({ params, body, user, services }) => {
    const dataset = await managedDataset(services.db, user, params.id, MAINTAINERS_ONLY);
    return { taken: await takeBack(services, user, dataset.id, body) };
  }),

  route(calls.markTruth, async ({ params, body, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, MAINTAINERS_ONLY);
    await storeTruth(db, dataset.id, body);
    return { success: true };
  }),

  route(calls.getConsensusImage, async ({ params, user, services }) => {
    const image = await managedImage(services, user, params.id);
    return consensusImage(services.db, image.dataset_id, image.id);
  }),

  route(calls.mergeCopies, async ({ params, body, user, services }) =>
    mergeCopies(services, user, await managedImage(services, user, params.id), body),
  ),

  route(calls.undoMerge, async ({ params, body, user, services }) => {
    const image = await managedImage(services, user, params.id);
    return undoMerge(services, user, image.id, body.merged_at);
  }),
];

async function managedImage({ db }: Services, user: CurrentUser, id: number) {
  const { image, dataset } = await visibleImage(db, user, id);
  if (!mayManage(user, dataset)) throw forbidden(MAINTAINERS_ONLY);
  return image;
}
