import { hash } from "node:crypto";
import { withoutExtension } from "../../files/paths/safePath";

/**
 * Unique names for the files that belong to images: the image's path without extension, as readers of YOLO and VOC
 * expect, or the full path if another image already has that name ("a.jpg" and "a.png"). Case is ignored, as some file
 * systems do. Holds one number per image.
 */
export class Stems {
  private readonly taken = new Set<number>();

  of(path: string): string {
    const stem = withoutExtension(path);
    for (let n = 0; ; n++) {
      const name = n === 0 ? stem : n === 1 ? path : `${path} ${n}`;
      const number = numberOf(name);
      if (this.taken.has(number)) continue;
      this.taken.add(number);
      return name;
    }
  }
}

/** Returns a 48-bit hash of a name. */
const numberOf = (name: string): number => Number.parseInt(hash("md5", name.toLowerCase(), "hex").slice(0, 12), 16);
