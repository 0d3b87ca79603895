import type { Tally } from "../read/importReport";
import type { FileImage } from "../read/readAnnotation";
import type { Exif, ImageMatch, Pixels } from "./matchImages";

/** Part of an import's report about images with an EXIF orientation. */
export interface PixelsReport {
  /** Pixels that the file was made for; null if unknown, in which case upright was assumed. */
  made_for: Pixels | null;
  /** Number of images whose annotations were turned upright. */
  turned: number;
  /** Number of images for which neither the file nor the user decides between stored and upright pixels. */
  unproven: number;
}

/**
 * Decides whether a file was made for the pixels as stored or for the upright image, with EXIF orientation applied. A
 * tool treats all images alike, so images whose width and height prove it decide for those whose width and height are
 * the same either way (orientations 2 to 4, and square images).
 */
export class ImagePixels {
  private readonly images: { name: string; image: FileImage; exif: Exif }[] = [];

  add({ name, image, exif }: ImageMatch): void {
    if (exif && typeof image === "object") this.images.push({ name, image, exif });
  }

  /**
   * Sets `turn` of the images that prove nothing. `choice`: the user's choice, used if no image proves anything or the
   * proofs contradict each other.
   */
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

const TURNED = "has an EXIF orientation that its annotations do not follow: they were turned upright";
const UNPROVEN =
  "has an EXIF orientation, and the file does not show whether its annotations follow it: they are assumed to be upright";
