/** Errors that clients react to; `code` of the response. All others are only shown. */
export const ERROR_CODES = [
  /** 409 of a bulk command: the filter fits another number of images than its `total`. `facts.total` is that number. */
  "total_changed",
  /** 409 of a call that names the id of another installation, whose numbers may mean other images and users. */
  "other_installation",
  /** 404: the image is deleted, or the user does not see it. A proxy's 404 has no code. */
  "image_not_found",
  /** 412: what `If-Match` names was changed since. `facts.revision` is the revision that it has now. */
  "revision_changed",
  /** 409 of a command that was sent again: it was done, at least in part, and what came of it is not known any more. */
  "outcome_unknown",
  /** 413: the outlines of one request cross the image too often to be measured together. Send fewer at a time. */
  "too_much_to_measure",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const isErrorCode = (value: unknown): value is ErrorCode => ERROR_CODES.some((code) => code === value);
