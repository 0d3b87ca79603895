/** A file is no image that we take. The message says why, as the end of a sentence: "it is cut off". */
export class PictureError extends Error {
  override readonly name: string = "PictureError";
  /** True if the file looks like an image; otherwise it is just another file in the folder. */
  readonly isPicture: boolean;
  /** True if the decoder gave up on the pixels: the file may as well be cut off. No `code`, which marks system errors. */
  readonly isDamaged: boolean;

  constructor(reason: string, { isPicture = true, isDamaged = false, cause }: PictureErrorDetails = {}) {
    super(reason, { cause });
    this.isPicture = isPicture;
    this.isDamaged = isDamaged;
  }
}

interface PictureErrorDetails {
  isPicture?: boolean;
  isDamaged?: boolean;
  cause?: unknown;
}

export const damaged = (cause?: unknown) => new PictureError("it is damaged", { isDamaged: true, cause });

/** A kept zip is no longer there: an earlier try has read it to its end, or it was dropped. */
export class ZipGone extends PictureError {
  override readonly name: string = "ZipGone";
}

/** A dataset's folder is not there or cannot be read: perhaps its disk is not mounted. */
export class MissingFolder extends Error {
  override readonly name = "MissingFolder";
}
