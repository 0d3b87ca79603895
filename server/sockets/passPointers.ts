import { randomUUID } from "node:crypto";
import { z } from "zod";
import { id, uuid } from "../../shared/entities/scalars";
import { MAX_POINTED, type Pointing } from "../../shared/events";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { type Rate, TokenBuckets } from "./limits/tokenBuckets";

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/** Beyond the longest side of any image, and so that a number stays short. */
const FARTHEST = 1_000_000;
const coordinate = z.number().min(-FARTHEST).max(FARTHEST);
const pointing = z.object({
  image_id: id,
  place: z.tuple([coordinate, coordinate]).nullable(),
  selected: z.array(uuid).max(MAX_POINTED),
});

/** Messages of one socket that are passed on; pages send ten a second. Each is a notification of PostgreSQL, too. */
const PASSED: Rate = { burst: 30, perSecond: 15 };

/**
 * Passes users' pointers and selections on to the other pages that have the same image open. Messages about other
 * images, malformed ones and too frequent ones are dropped.
 */
export function passPointers(io: LiveServer): void {
  const passed = new TokenBuckets<LiveSocket>(PASSED);
  io.on("connection", (socket) => {
    const { user, takesBatches } = socket.data;
    // Without accounts, all users have the same name.
    if (user.anonymous || !takesBatches) return;
    const from = randomUUID();
    let shown: Pointing | undefined;
    const pass = (next: Pointing) => {
      socket.to(roomOf.batches(next.image_id)).emit("pointing", { ...next, from, username: user.username });
      shown = next;
    };
    const hide = () => {
      if (shown) pass({ image_id: shown.image_id, place: null, selected: [] });
      shown = undefined;
    };
    socket.on("pointing", (event: unknown) => {
      const { data } = pointing.safeParse(event);
      if (data && socket.rooms.has(roomOf.batches(data.image_id)) && passed.take(socket)) pass(data);
    });
    socket.on("annotating", hide);
    socket.on("disconnect", () => {
      hide();
      passed.forget(socket);
    });
  });
}
