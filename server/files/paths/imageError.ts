/** A file is not a supported image. The message is the reason, phrased to end a sentence: "it is cut off". */
export class ImageError extends Error {
  override readonly name: string = "ImageError";
  /** True if the file looks like an image; otherwise it is just another file in the folder. */
  readonly isImage: boolean;
  /**
   * True if the decoder failed on the pixels: the file may also be truncated. Not a `code`, which marks system errors.
   */
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

/** A kept zip no longer exists: an earlier attempt has read it to its end, or it was deleted. */
export class ZipGone extends ImageError {
  override readonly name: string = "ZipGone";
}

/** A dataset's folder does not exist or cannot be read, perhaps because its disk is not mounted. */
export class MissingFolder extends Error {
  override readonly name = "MissingFolder";
}
