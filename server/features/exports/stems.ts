import { hash } from "node:crypto";
import { withoutEnding } from "../../files/paths/safePath";

/**
 * Names for the file that goes with an image: its path without the ending, as readers of YOLO and VOC look for it. Where
 * another image took that before ("a.jpg" and "a.png"), the whole path, which keeps its ending. Without regard to case,
 * since some file systems have none. It keeps a number for each image.
 */
export class Stems {
  private readonly taken = new Set<number>();

  of(path: string): string {
    const stem = withoutEnding(path);
    for (let n = 0; ; n++) {
      const name = n === 0 ? stem : n === 1 ? path : `${path} ${n}`;
      const number = numberOf(name);
      if (this.taken.has(number)) continue;
      this.taken.add(number);
      return name;
    }
  }
}

/** 48 bits. */
const numberOf = (name: string): number => Number.parseInt(hash("md5", name.toLowerCase(), "hex").slice(0, 12), 16);
