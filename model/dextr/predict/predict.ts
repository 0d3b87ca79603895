import type { Box, ImageSource } from "../base/imageSource";
import { boxOf, checkPoints, promptInside } from "../base/points";
import type { Prediction } from "../base/prediction";
import { SIZE } from "../base/recipe";
import type { Prompt } from "../base/request";
import { type DextrSession, PLANES, type Tensor } from "../base/session";
import { extendOutward } from "./border";
import { writeClicks } from "./clickPlanes";
import { common, cropAround, isEmpty, reachAround } from "./crop";
import { guided } from "./guided";
import { obey } from "./obey";
import { neededOf, resample } from "./resample";

export interface PredictOptions {
  /** Side of the network's square input, from the manifest. A multiple of 32. */
  size?: number;
  /** Moves borders to where the image's colours change. Default true. */
  guide?: boolean;
}

/**
 * Runs the network on the part of the image around the points: the expensive half of the recipe, the same for every
 * threshold. The points on the border alone determine the crop. Points outside the image are moved to its border; if
 * the box of those on the border is completely outside, the network does not run. `padding` is in image pixels. Rejects
 * for invalid points or numbers, if the image cannot be read, and if the network cannot run.
 */
export async function predict(
  image: ImageSource,
  prompt: Prompt,
  padding: number,
  session: DextrSession,
  { size = SIZE, guide = true }: PredictOptions = {},
): Promise<Prediction> {
  const { added = [], removed = [] } = prompt;
  checkPoints([...prompt.points, ...prompt.more]);
  if (added.length + removed.length > 0) checkPoints([...added, ...removed]);
  checkNumbers(image, padding, size);
  const clicks = promptInside(prompt, image);
  const border = [...clicks.points, ...clicks.more];
  const points = [...border, ...clicks.added];
  const crop = cropAround(border);
  if (
    isEmpty(
      common(boxOf([...prompt.points, ...prompt.more]), { left: 0, top: 0, right: image.width, bottom: image.height }),
    )
  )
    return { crop, size, probability: new Float32Array(size * size), points, removed: clicks.removed, reach: NOWHERE };
  const tensor = await tensorOf(image, clicks, crop, size);
  const output = await session.run(tensor);
  if (output.length !== size * size)
    throw new Error(`The network returned ${output.length} numbers instead of ${size * size}.`);
  const raw = Float32Array.from(output);
  const planes = [raw, ...colourPlanes(tensor)];
  for (const plane of planes) extendOutward(plane, crop, size, image);
  const probability = guide ? guided(raw, tensor.data, size) : raw;
  obey(probability, tensor.data, clicks, crop, size);
  return { crop, size, probability, points, removed: clicks.removed, reach: reachAround(points, padding, crop, image) };
}

/** Returns views of the crop's red, green and blue planes. */
function colourPlanes({ data, width, height }: Tensor): Float32Array[] {
  const area = width * height;
  return [0, 1, 2].map((c) => data.subarray(c * area, (c + 1) * area));
}

const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };

function checkNumbers({ width, height }: ImageSource, padding: number, size: number): void {
  if (!(width >= 1 && height >= 1)) throw new Error("DEXTR needs an image with pixels.");
  if (!(padding >= 0)) throw new Error("DEXTR needs a padding of at least 0 pixels.");
  if (!(size >= 32 && size % 32 === 0)) throw new Error("DEXTR needs a size that is a multiple of 32.");
}

/** Returns the network's input: the crop with its clicks. */
async function tensorOf(image: ImageSource, clicks: Prompt, crop: Box, size: number): Promise<Tensor> {
  const area = size * size;
  const data = new Float32Array(PLANES * area);
  const needed = neededOf(crop, size, image.width, image.height);
  resample(needed && (await image.read(needed)), crop, size, data);
  writeClicks(clicks, crop, size, [data.subarray(3 * area, 4 * area), data.subarray(4 * area)]);
  return { data, height: size, width: size };
}
