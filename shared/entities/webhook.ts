import { z } from "zod";
import { text } from "./scalars";

/** Events of a dataset that a webhook can ask for. */
export const WEBHOOK_EVENTS = ["image.done", "annotations.changed", "task.ended"] as const;
export const webhookEvent = z.enum(WEBHOOK_EVENTS);
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** Prefix of secrets that the server chooses. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";

/** Key of the signatures. Receivers need it, so it has at least 16 characters. */
export const webhookSecret = text(200).min(16, "A secret has at least 16 characters");

/** An address that receives the events of a dataset by POST. */
export const webhook = z.object({
  id: z.number(),
  url: z.string(),
  events: z.array(webhookEvent),
  /** False if an owner has switched it off, or the server has after too many failures. */
  active: z.boolean(),
  /** Reason why the server has switched it off; null otherwise. */
  disabled_reason: z.string().nullable(),
  /** Number of failed deliveries since the last successful one. */
  failures: z.number(),
  /** Number of deliveries that are not finished. */
  pending: z.number(),
  created_at: z.string(),
});
export type Webhook = z.infer<typeof webhook>;

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;

/** One event for one webhook. */
export const webhookDelivery = z.object({
  id: z.number(),
  /** The same for all attempts and repeats: receivers tell repeats by it. */
  event_id: z.uuid(),
  event: webhookEvent.or(z.literal("ping")),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  /** HTTP status of the last response; null if there was none. */
  status: z.number().nullable(),
  /** Reason why the last attempt failed; null if it did not. */
  error: z.string().nullable(),
  /** Duration of the last attempt. */
  milliseconds: z.number().nullable(),
  /** Body that was sent; null before the first attempt. */
  body: z.string().nullable(),
  created_at: z.string(),
  /** Earliest time of the next attempt; null if it is finished. */
  next_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
