import { type DextrSession, PLANES } from "../dextr/base/session";

/** Returns a network whose probabilities are the means of those for the crop and for its mirror image. */
export function withMirror(session: DextrSession): DextrSession {
  return {
    async run(input) {
      const { data, width, height } = input;
      const [found, other] = [
        await session.run(input),
        await session.run({ ...input, data: mirrored(data, width, PLANES * height) }),
      ];
      const back = mirrored(other, width, height);
      return found.map((value, i) => (value + back[i]!) / 2);
    },
  };
}

function mirrored(values: Float32Array, width: number, rows: number): Float32Array {
  const out = values.slice();
  for (let row = 0; row < rows; row++) out.subarray(row * width, (row + 1) * width).reverse();
  return out;
}
