import { z } from "zod";
import { text } from "../../entities/scalars";
import { webhook, webhookDelivery, webhookEvent, webhookSecret } from "../../entities/webhook";
import { declare } from "../protocol/call";
import { idInPath, limit } from "../protocol/inputs";
import { success } from "../protocol/outputs";

/** Webhooks of a dataset: addresses that receive its events. docs/guide/webhooks.md describes what they receive. */

const title = "Webhooks";
const access = "user";
const params = z.object({ id: idInPath });
const ofWebhook = z.object({ id: idInPath, webhookId: idInPath });

const url = text(2000).pipe(z.url({ protocol: /^https?$/, error: "Must be an http or https address" }));
const someEvents = z.array(webhookEvent).max(10);
const events = someEvents.min(1, "Choose at least one event").transform((list) => [...new Set(list)]);

export const listWebhooks = declare({
  method: "GET",
  path: "/dataset/{id}/webhooks",
  title,
  access,
  summary: "List the webhooks of a dataset; only its owner and admins",
  params,
  output: z.array(webhook),
});

export const createWebhook = declare({
  method: "POST",
  path: "/dataset/{id}/webhooks",
  title,
  access,
  summary: "Add a webhook. Without a `secret` the server chooses one, which only this response has",
  params,
  body: z.object({ url, events, secret: webhookSecret.optional() }),
  output: webhook.extend({ secret: z.string().nullable() }),
});

export const updateWebhook = declare({
  method: "PUT",
  path: "/dataset/{id}/webhooks/{webhookId}",
  title,
  access,
  summary:
    "Change a webhook: send all events, or only additions and removals; `active: true` also switches it on again after the server has switched it off",
  params: ofWebhook,
  body: z
    .object({
      url: url.optional(),
      /** Replaces the whole list. */
      events: events.optional(),
      add_events: someEvents.optional(),
      /** Events that are not in the list are ignored. */
      remove_events: someEvents.optional(),
      secret: webhookSecret.optional(),
      active: z.boolean().optional(),
    })
    .refine((body) => !body.events || (!body.add_events && !body.remove_events), {
      message: "Send events, or add_events and remove_events",
      path: ["events"],
    }),
  output: webhook,
});

export const deleteWebhook = declare({
  method: "DELETE",
  path: "/dataset/{id}/webhooks/{webhookId}",
  title,
  access,
  summary: "Delete a webhook with its deliveries",
  params: ofWebhook,
  output: success,
});

export const pingWebhook = declare({
  method: "POST",
  path: "/dataset/{id}/webhooks/{webhookId}/ping",
  title,
  access,
  summary: "Send the event `ping` to try a webhook",
  params: ofWebhook,
  output: webhookDelivery,
});

export const listDeliveries = declare({
  method: "GET",
  path: "/dataset/{id}/webhooks/{webhookId}/deliveries",
  title,
  access,
  summary:
    "List the deliveries of the last seven days, newest first; `before` is the id of the last one of the page before",
  params: ofWebhook,
  query: z.object({ before: idInPath.optional(), limit: limit(50) }),
  output: z.array(webhookDelivery),
});

export const repeatDelivery = declare({
  method: "POST",
  path: "/dataset/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/repeat",
  title,
  access,
  summary: "Deliver an event again, with the same id and body",
  params: ofWebhook.extend({ deliveryId: idInPath }),
  output: webhookDelivery,
});
