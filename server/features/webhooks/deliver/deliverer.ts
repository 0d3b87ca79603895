import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Kysely } from "kysely";
import { Rerun } from "../../../../shared/async/rerun";
import { endsWithin } from "../../../../shared/async/timeLimit";
import type { DeliveryRow, Schema, WebhookRow } from "../../../db/schema";
import { OutsideError } from "../../../outside/outsideError";
import { postOutside } from "../../../outside/post";
import { claimWebhook, nextDelivery, releaseAll, releaseWebhook, renewLease } from "./claim";
import { eventBody } from "./eventBody";
import { type Attempt, storeAttempt } from "./outcome";
import { pruneDeliveries } from "./pruneDeliveries";
import { signedHeaders } from "./sign";

export interface DelivererOptions {
  db: Kysely<Schema>;
  /** Allows addresses in the server's own network. */
  allowPrivate: boolean;
  /** True if no other process uses this database: leases at startup were left by a dead process. */
  alone: boolean;
  /** Receives errors of the database, after which deliveries continue at the next look. */
  report: (error: unknown) => void;
}

/** Delivers the events of webhooks in this process. */
export interface Deliverer {
  /** Looks for due deliveries now. Resolves when there are none, or they wait for another attempt. */
  look(): Promise<void>;
  /** Aborts running requests, whose events another process or the next start sends again. */
  stop(graceMs?: number): Promise<void>;
}

/** Number of webhooks that this process serves at a time; each receives one event after another. */
const CONCURRENCY = 4;
const EVENTS_PER_CLAIM = 20;
const POLL_MS = { min: 1_000, max: 2_000 };
const PRUNE_MS = 3_600_000;
/** Shorter than the lease, so that no other process can send the same event meanwhile. */
const TIMEOUT_SECONDS = 10;
const GRACE_MS = 2_000;

export function startDeliverer({ db, allowPrivate, alone, report }: DelivererOptions): Deliverer {
  const worker = `${hostname()}-${process.pid}-${randomUUID()}`;
  const ending = new AbortController();
  const ready = alone ? releaseAll(db).catch(report) : Promise.resolve();

  const running = new Set<Promise<void>>();

  /** Claims webhooks until enough are served or none has a due delivery. */
  const fill = new Rerun(async () => {
    await ready;
    while (!ending.signal.aborted && running.size < CONCURRENCY) {
      const webhook = await claimWebhook(db, worker).catch(report);
      if (!webhook) return;
      begin(webhook);
    }
  });

  const begin = (webhook: WebhookRow) => {
    // After an error, the next look continues: looking at once could fail in a tight loop.
    const run: Promise<void> = serveWebhook(webhook).then(
      () => {
        running.delete(run);
        void fill.request();
      },
      (error) => {
        running.delete(run);
        report(error);
      },
    );
    running.add(run);
  };

  /** Delivers some events of a webhook, and releases it so that others get their turn. */
  const serveWebhook = async (webhook: WebhookRow) => {
    try {
      for (let count = 0; count < EVENTS_PER_CLAIM && !ending.signal.aborted; count++) {
        const current = await renewLease(db, worker, webhook.id);
        const delivery = current && (await nextDelivery(db, webhook.id));
        if (!delivery) return;
        await deliver(current, delivery);
      }
    } finally {
      await releaseWebhook(db, worker, webhook.id);
    }
  };

  const deliver = async (webhook: WebhookRow, delivery: DeliveryRow) => {
    const body = delivery.body ?? (await eventBody(db, webhook, delivery));
    if (body === undefined) {
      await db.deleteFrom("webhook_deliveries").where("id", "=", delivery.id).execute();
      return;
    }
    if (delivery.body === null)
      await db.updateTable("webhook_deliveries").set({ body }).where("id", "=", delivery.id).execute();
    const attempt = await send(webhook, delivery, body);
    if (attempt) await storeAttempt(db, worker, webhook, delivery, attempt);
  };

  /** Sends a delivery. Returns undefined if this process ends meanwhile. */
  const send = async (webhook: WebhookRow, delivery: DeliveryRow, body: string): Promise<Attempt | undefined> => {
    const { event, event_id: eventId } = delivery;
    const start = performance.now();
    const attempt = (status: number | null, error: string | null): Attempt => ({
      status,
      error,
      milliseconds: Math.round(performance.now() - start),
    });
    try {
      const status = await postOutside(webhook.url, {
        headers: signedHeaders({ event, eventId, body, secret: webhook.secret }),
        body,
        signal: ending.signal,
        seconds: TIMEOUT_SECONDS,
        allowPrivate,
      });
      return attempt(status, errorOfStatus(status));
    } catch (error) {
      if (ending.signal.aborted) return undefined;
      if (!(error instanceof OutsideError)) report(error);
      return attempt(null, error instanceof OutsideError ? error.message : "it could not be sent");
    }
  };

  const look = async () => {
    do {
      await fill.request();
      await Promise.all(running);
    } while (running.size > 0);
  };

  const poll = setInterval(() => void fill.request(), POLL_MS.min + Math.random() * (POLL_MS.max - POLL_MS.min));
  const prune = setInterval(() => pruneDeliveries(db).catch(report), PRUNE_MS);
  for (const timer of [poll, prune]) timer.unref();

  return {
    look,
    async stop(graceMs = GRACE_MS) {
      clearInterval(poll);
      clearInterval(prune);
      ending.abort(new Error("The server is stopping."));
      await endsWithin(graceMs, Promise.all([fill.request(), ...running]));
    },
  };
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `status ${status}: redirects are not followed`
    : `the receiver responded with status ${status}`;
}
