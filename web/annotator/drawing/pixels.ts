import { simplifyLine } from "../../../shared/geometry/simplify";
import type { Dextr, DextrImage } from "../../io/dextr/dextr";
import type { Scissors } from "../../io/workers/scissors";
import type { Wand } from "../../io/workers/wand";
import type { Compute } from "../../io/workers/workers";
import type { DextrPort, ScissorsPort, WandPort } from "../tools/common/ports";

export interface PixelParts {
  compute: Pick<Compute, "wand" | "scissors">;
  dextr: Dextr;
  /** The open image. */
  image: () => DextrImage;
  /** The user's simplify tolerance, in image pixels. */
  tolerance: () => number;
}

/**
 * The last `Pixels` that used each `Dextr`. Only that instance releases the image on close, because a `Dextr` holds one
 * image.
 */
const lastUser = new WeakMap<Dextr, Pixels>();

/** Scissors, magic wand and DEXTR on the pixels of the open image, each started when first needed. */
export class Pixels {
  readonly scissors: ScissorsPort = {
    prepare: () => this.startedScissors().prepare(),
    follow: (...line) => this.startedScissors().follow(...line),
    simplified: (line) => simplifyLine(line, this.parts.tolerance()),
  };
  readonly wand: WandPort = {
    prepare: () => this.startedWand().prepare(),
    grow: ({ x, y }, options) => this.startedWand().grow(x, y, { ...options, simplify: this.parts.tolerance() }),
    end: () => this.startedWand().end(),
  };
  readonly dextr: DextrPort;
  private started: Wand | null = null;
  private cutting: Scissors | null = null;

  constructor(private readonly parts: PixelParts) {
    const { dextr, image } = parts;
    this.dextr = {
      status: dextr.status,
      choose: (choice) => dextr.choose(choice),
      prepare: () => {
        lastUser.set(dextr, this);
        dextr.prepare(image());
      },
      predict: (request, signal) => {
        lastUser.set(dextr, this);
        return dextr.predict(image(), request, signal);
      },
    };
  }

  close(): void {
    const { dextr } = this.parts;
    this.started?.close();
    this.cutting?.close();
    if (lastUser.get(dextr) === this) dextr.release();
  }

  private startedScissors(): Scissors {
    this.cutting ??= this.parts.compute.scissors(this.parts.image().address);
    return this.cutting;
  }

  private startedWand(): Wand {
    this.started ??= this.parts.compute.wand(this.parts.image().address);
    return this.started;
  }
}
