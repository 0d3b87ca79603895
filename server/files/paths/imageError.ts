/** A file is no image that we take. The message says why, as the end of a sentence: "it is cut off". */
export class ImageError extends Error {
  override readonly name: string = "ImageError";
  /** True if the file looks like an image; otherwise it is just another file in the folder. */
  readonly isImage: boolean;
  /** True if the decoder gave up on the pixels: the file may as well be cut off. No `code`, which marks system errors. */
  readonly isDamaged: boolean;

  constructor(reason: string, { isImage = true, isDamaged = false, cause }: ImageErrorDetails = {}) {
    super(reason, { cause });
    this.isImage = isImage;
    this.isDamaged = isDamaged;
  }
}

interface ImageErrorDetails {
  isImage?: boolean;
  isDamaged?: boolean;
  cause?: unknown;
}

export const damaged = (cause?: unknown) => new ImageError("it is damaged", { isDamaged: true, cause });

/** A kept zip is no longer there: an earlier try has read it to its end, or it was dropped. */
export class ZipGone extends ImageError {
  override readonly name: string = "ZipGone";
}

/** A dataset's folder is not there or cannot be read: perhaps its disk is not mounted. */
export class MissingFolder extends Error {
  override readonly name = "MissingFolder";
}
