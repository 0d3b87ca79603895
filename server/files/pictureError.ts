/** A file is no picture that we take. The message says why, as the end of a sentence: "it is cut off". */
export class PictureError extends Error {
  override readonly name: string = "PictureError";
  /** Whether the file looks as if somebody meant it as a picture; else it is just another file in the folder. */
  readonly isPicture: boolean;

  constructor(reason: string, { isPicture = true, cause }: { isPicture?: boolean; cause?: unknown } = {}) {
    super(reason, { cause });
    this.isPicture = isPicture;
  }
}

/** A kept zip is no longer there: an earlier try has read it to its end, or it was dropped. */
export class ZipGone extends PictureError {
  override readonly name: string = "ZipGone";
}

/** A dataset's folder is not there or cannot be read: perhaps its disk is not mounted. */
export class MissingFolder extends Error {
  override readonly name = "MissingFolder";
}
