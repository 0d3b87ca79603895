import { segmentWithDextr } from "../../shared/api/model";
import type { Rings } from "../../shared/entities/shape";
import type { DextrPicture, DextrRequest, DextrResult } from "./dextr";
import type { DextrRuntime } from "./dextrRuntime";
import { newest } from "./newest";
import { request } from "./request";

/** The network on the server: every outline is a call, another threshold of the same points too. */
export class DextrServer implements DextrRuntime {
  readonly name = "server";

  async open(): Promise<string> {
    return "The server computes";
  }

  async predict(picture: DextrPicture, asked: DextrRequest, signal: AbortSignal): Promise<DextrResult> {
    const rings = await this.segment(picture, asked, signal);
    const outline = newest((threshold: number) => this.segment(picture, { ...asked, threshold }));
    return { rings, runtime: this.name, outline };
  }

  measure = async (): Promise<number> => Number.POSITIVE_INFINITY;
  hold = async (): Promise<void> => undefined;
  release = (): void => undefined;
  rest = (): void => undefined;

  private async segment({ id }: DextrPicture, asked: DextrRequest, signal?: AbortSignal): Promise<Rings> {
    const { padding, threshold } = asked;
    const [points, more] = [asked.points, asked.more].map((list) => list.map(([x, y]): [number, number] => [x, y]));
    const body = { points: points!, more: more!, padding, threshold };
    return (await request(segmentWithDextr, { params: { imageId: id }, body }, { signal })).rings;
  }
}
