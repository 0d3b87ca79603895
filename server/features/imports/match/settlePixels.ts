import type { Tally } from "../read/importReport";
import type { FileImage } from "../read/readAnnotation";
import type { Exif, ImageMatch, Pixels } from "./matchImages";

/** The part of an import's report about images with an EXIF orientation. */
export interface PixelsReport {
  /** The pixels that the file was made for; null where nothing says so, and upright was assumed. */
  made_for: Pixels | null;
  /** Images whose annotations were turned upright. */
  turned: number;
  /** Images that could be either, with nothing in the file and no choice of the user's to decide. */
  unproven: number;
}

/**
 * Decides for which pixels a file was made: as stored in the images' files, or upright, after their EXIF orientation. A
 * tool writes all its images one way, so an image whose sides prove it speaks for those that have the same sides either
 * way (orientations 2 to 4, and square images).
 */
export class ImagePixels {
  private readonly images: { name: string; image: FileImage; exif: Exif }[] = [];

  add({ name, image, exif }: ImageMatch): void {
    if (exif && typeof image === "object") this.images.push({ name, image, exif });
  }

  /** Sets `turn` of the images that prove nothing. `choice`: the user's, used where the file proves nothing. */
  settle(choice: Pixels | undefined, notes: Tally): PixelsReport {
    const proofs = new Set(this.images.map(({ exif }) => exif.proves).filter((pixels) => pixels !== undefined));
    const [proof] = proofs.size === 1 ? proofs : [];
    const madeFor = proof ?? choice;
    const open = this.images.filter(({ exif }) => exif.proves === undefined);
    if (madeFor === "stored") for (const { image, exif } of open) image.turn = exif.turn;
    if (!madeFor) for (const { name } of open) notes.add(UNPROVEN, name);
    const turned = this.images.filter(({ image }) => image.turn !== null);
    for (const { name } of turned) notes.add(TURNED, name);
    return { made_for: madeFor ?? null, turned: turned.length, unproven: madeFor ? 0 : open.length };
  }
}

const TURNED =
  "has an EXIF orientation, and its annotations were made for the image before it: they were turned upright";
const UNPROVEN =
  "has an EXIF orientation, and the file does not show whether its annotations were made before or after it: they were taken as upright";
