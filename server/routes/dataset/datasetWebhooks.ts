import * as calls from "../../../shared/api/datasets/webhooks";
import { listDeliveries, pingWebhook, repeatDelivery } from "../../features/webhooks/deliveries";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "../../features/webhooks/webhooks";
import { type Route, route } from "../http/route";

export const datasetWebhookRoutes: Route[] = [
  route(calls.listWebhooks, ({ params, user, services: { db } }) => listWebhooks(db, user, params.id)),

  route(calls.createWebhook, ({ params, body, user, services }) => createWebhook(services, user, params.id, body)),

  route(calls.updateWebhook, ({ params, body, user, services }) => updateWebhook(services, user, params, body)),

  route(calls.deleteWebhook, async ({ params, user, services: { db } }) => {
    await deleteWebhook(db, user, params);
    return { success: true };
  }),

  route(calls.pingWebhook, ({ params, user, services: { db } }) => pingWebhook(db, user, params)),

  route(calls.listDeliveries, ({ params, query, user, services: { db } }) => listDeliveries(db, user, params, query)),

  route(calls.repeatDelivery, ({ params, user, services: { db } }) =>
    repeatDelivery(db, user, params, params.deliveryId),
  ),
];
