/** Errors that clients react to, as `code` of the response. Other errors have no code and are only shown. */
export const ERROR_CODES = [
  /**
   * 409 from a bulk command or the deletion of an account: the number of affected images or datasets is not the number
   * in the request, or other images are affected, or their stages or assignees have changed. `facts.total` is the
   * current number; `facts.digest`, `facts.stages` and `facts.assignees` are those of `getSelection`.
   */
  "total_changed",
  /** 409 from a call with the id of another installation, whose ids may refer to other images and users. */
  "other_installation",
  /** 409: the calling page shows one user, but another user is logged in now. */
  "other_user",
  /** 404: the image is deleted, or the user may not see it. A 404 from a proxy has no code. */
  "image_not_found",
  /** 403: the user is a viewer of the dataset, who may look at it but not change it. */
  "read_only",
  /** 412: the object has changed since the revision in `If-Match`. `facts.revision` is its revision now. */
  "revision_changed",
  /** 409 from a repeated command: it was carried out, at least in part, but its response is no longer available. */
  "outcome_unknown",
  /** 413: the outlines in one request are too complex to be measured together. Send fewer at a time. */
  "too_much_to_measure",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const isErrorCode = (value: unknown): value is ErrorCode => ERROR_CODES.some((code) => code === value);
