import sharp from "sharp";
import { SerialQueue } from "../../shared/async/serialQueue";
import { polygonsToRle } from "../../shared/coco/mask";

/**
 * Computed images with a COCO file that describes them exactly, for tests without photographs and for the pictures of
 * the documentation. The same number gives the same scene.
 */
export interface Scene {
  fileName: string;
  width: number;
  height: number;
  objects: SceneObject[];
}

interface SceneObject {
  category: keyof typeof CATEGORIES;
  /** Flat rings in pixels. A crowd has several. */
  polygons: number[][];
  fill: string;
}

const CATEGORIES = { house: "building", tree: "plant", sun: "sky", hill: "ground", sheep: "animal" } as const;
const NAMES = Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[];

export function drawScene(number: number, width = 640, height = 480): Scene {
  const random = seededGenerator(number);
  const between = (min: number, max: number) => min + random() * (max - min);
  const horizon = height * between(0.5, 0.65);
  const objects: SceneObject[] = [
    {
      category: "sun",
      polygons: [blob(between(60, width - 60), horizon * 0.3, 26, 26, 40, 0, random)],
      fill: "#ffd75e",
    },
    { category: "hill", polygons: [hill(width, horizon, height * 0.12, random)], fill: "#5f8f5a" },
  ];
  for (let i = 0; i < 3; i++) {
    const x = width * (0.1 + 0.3 * i) + between(0, 40);
    objects.push({
      category: "house",
      polygons: [house(x, horizon + between(10, 60), between(50, 90))],
      fill: ["#b5533c", "#c9a26b", "#8d6b94"][i] ?? "#999999",
    });
    objects.push({
      category: "tree",
      polygons: [blob(x + between(100, 130), horizon + between(-10, 30), 28, 40, 24, 0.25, random)],
      fill: "#2f6b3a",
    });
  }
  const flock = Array.from({ length: 6 }, () =>
    blob(between(40, width - 40), height - between(30, 70), 16, 10, 16, 0.2, random),
  );
  objects.push({ category: "sheep", polygons: flock, fill: "#f2efe6" });
  return { fileName: `scene-${String(number).padStart(3, "0")}.jpg`, width, height, objects };
}

const LOAD_SVG = { operation: ["VipsForeignLoadSvg"] };
/** Renderings take turns, since whether SVG can be read is a setting of the whole process. */
const turns = new SerialQueue();

/** Renders the scene as a JPEG, with some noise so that it compresses like a photograph. */
export const renderScene = (scene: Scene): Promise<Buffer> => turns.add(() => renderAlways(scene));

/** Renders the scene also in a worker of the tests where the server's decoder was loaded, which refuses SVG. */
async function renderAlways(scene: Scene): Promise<Buffer> {
  try {
    return await render(scene);
  } catch {
    sharp.unblock(LOAD_SVG);
    return await render(scene).finally(() => sharp.block(LOAD_SVG));
  }
}

async function render({ width, height, objects }: Scene): Promise<Buffer> {
  const paths = objects.flatMap(({ polygons, fill }) =>
    polygons.map((flat) => `<polygon points="${flat.join(" ")}" fill="${fill}"/>`),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#7fb2e5"/><stop offset=".7" stop-color="#e8f0f2"/></linearGradient></defs>
    <rect width="100%" height="60%" fill="url(#sky)"/><rect y="50%" width="100%" height="50%" fill="#8fb573"/>${paths.join("")}</svg>`;
  const noise = {
    create: {
      width,
      height,
      channels: 3 as const,
      background: "#808080",
      noise: { type: "gaussian" as const, mean: 128, sigma: 12 },
    },
  };
  const grain = await sharp(noise).png().toBuffer();
  return sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Returns the COCO file of scenes: polygons, and each flock as a crowd in uncompressed RLE. */
export function sceneCoco(scenes: readonly Scene[]) {
  const images = scenes.map(({ fileName, width, height }, i) => ({
    id: i + 1,
    file_name: fileName,
    width,
    height,
    license: 1,
  }));
  const categories = NAMES.map((name, i) => ({ id: i + 1, name, supercategory: CATEGORIES[name] }));
  let id = 0;
  const annotations = scenes.flatMap((scene, i) =>
    scene.objects.map(({ category, polygons }) => {
      const runs = Array.from(polygonsToRle(polygons, scene.width, scene.height));
      const crowd = category === "sheep";
      id += 1;
      return {
        id,
        image_id: i + 1,
        category_id: NAMES.indexOf(category) + 1,
        segmentation: crowd ? { size: [scene.height, scene.width], counts: runs } : polygons,
        area: runs.filter((_, run) => run % 2 === 1).reduce((sum, run) => sum + run, 0),
        bbox: bounds(polygons),
        iscrowd: crowd ? 1 : 0,
      };
    }),
  );
  return { info: { description: "Drawn scenes" }, images, annotations, categories };
}

function bounds(polygons: readonly number[][]): number[] {
  const xs = polygons.flatMap((flat) => flat.filter((_, i) => i % 2 === 0));
  const ys = polygons.flatMap((flat) => flat.filter((_, i) => i % 2 === 1));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, round(Math.max(...xs) - x), round(Math.max(...ys) - y)];
}

function blob(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  points: number,
  wobble: number,
  random: () => number,
): number[] {
  return Array.from({ length: points }, (_, i) => {
    const angle = (i / points) * 2 * Math.PI;
    const radius = 1 + wobble * (random() - 0.5);
    return [round(cx + rx * radius * Math.cos(angle)), round(cy + ry * radius * Math.sin(angle))];
  }).flat();
}

function house(x: number, y: number, size: number): number[] {
  const [w, wall, roof] = [size, size * 0.7, size * 0.5];
  return [x, y, x, y - wall, x + w / 2, y - wall - roof, x + w, y - wall, x + w, y].map(round);
}

function hill(width: number, horizon: number, rise: number, random: () => number): number[] {
  const phase = random() * 6;
  const ridge = Array.from({ length: 33 }, (_, i) => {
    const x = (width * i) / 32;
    return [round(x), round(horizon - rise * (1 + Math.sin(phase + i / 5)) * 0.6 - 4)];
  }).flat();
  return [...ridge, width, round(horizon + 12), 0, round(horizon + 12)];
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Pseudo-random numbers from 0 to 1 that are the same for the same seed (a multiply-with-carry generator). */
export function seededGenerator(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = (Math.imul(state & 0xffff, 36_969) + (state >>> 16)) >>> 0;
    return (state & 0xffffff) / 0x1000000;
  };
}
