import { z } from "zod";

/** Output of calls that return only their success. */
export const success = z.object({ success: z.literal(true) });

/** `page` is 1-based here; `start` and `end` are the slice, zero-based, end exclusive. */
export const pagination = z.object({
  start: z.number(),
  end: z.number(),
  pages: z.number(),
  page: z.number(),
  total: z.number(),
  showing: z.number(),
});
export type Pagination = z.infer<typeof pagination>;
