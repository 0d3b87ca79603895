/** A file is no picture that we take. The message says why, as the end of a sentence: "it is cut off". */
export class PictureError extends Error {
  override readonly name = "PictureError";
  /** Whether the file looks as if somebody meant it as a picture; else it is just another file in the folder. */
  readonly isPicture: boolean;

  constructor(reason: string, { isPicture = true, cause }: { isPicture?: boolean; cause?: unknown } = {}) {
    super(reason, { cause });
    this.isPicture = isPicture;
  }
}

/** A dataset's folder is not there or cannot be read: perhaps its disk is not mounted. */
export class MissingFolder extends Error {
  override readonly name = "MissingFolder";
}
