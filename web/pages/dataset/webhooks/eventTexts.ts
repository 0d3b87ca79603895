import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { WebhookDelivery, WebhookEvent } from "../../../../shared/entities/webhook";

/** When each event is sent, for the checkboxes of a form. */
export const EVENT_TEXTS: Readonly<Record<WebhookEvent, MessageDescriptor>> = {
  "image.done": msg`An image was marked as done, or the mark was removed`,
  "annotations.changed": msg`Annotations of an image have changed`,
  "task.ended": msg`A task has ended`,
};

export const STATE_TEXTS: Readonly<Record<WebhookDelivery["state"], MessageDescriptor>> = {
  pending: msg`Waiting`,
  delivered: msg`Delivered`,
  failed: msg`Failed`,
};

export const STATE_COLORS: Readonly<Record<WebhookDelivery["state"], string>> = {
  pending: "dimmed",
  delivered: "var(--mantine-color-text)",
  failed: "var(--mantine-color-error)",
};
