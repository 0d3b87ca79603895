import type { Page } from "@playwright/test";
import { bandedImage, Desk } from "../support/annotatorDesk";
import type { Bed } from "./bed";

export const IMAGE_SIZE = { width: 4000, height: 3000 };
/** Radius of a cell in image pixels where there are 5,000. */
const RADIUS = 24;
/** Time limit for importing the shapes, in milliseconds. */
const IMPORT_MS = 300_000;

/**
 * Returns irregular shapes all over the image, most of them touching others: x, y, x, y, … in image pixels, with two
 * decimals as in the official COCO files.
 */
export function ringsOfCells(count: number, vertices: number): number[][] {
  const columns = Math.round(Math.sqrt((count * IMAGE_SIZE.width) / IMAGE_SIZE.height));
  const rows = Math.ceil(count / columns);
  const size = RADIUS * Math.min(1, Math.sqrt(5000 / count));
  return Array.from({ length: count }, (_, i) => {
    const x = 40 + ((i % columns) / columns) * (IMAGE_SIZE.width - 80);
    const y = 40 + (Math.floor(i / columns) / rows) * (IMAGE_SIZE.height - 80);
    return Array.from({ length: vertices }, (_, k) => {
      const angle = (2 * Math.PI * k) / vertices;
      const radius = size * (1 + 0.2 * Math.sin(5 * angle + i));
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((v) => Math.round(v * 100) / 100);
    }).flat();
  });
}

/** Creates a dataset with one image and these shapes on it, and a second category. Returns the image's id. */
export async function createCells(page: Page, bed: Bed, rings: number[][], name = "canvas"): Promise<number> {
  const desk = new Desk(page, bed.server.url);
  const { id, image } = await desk.dataset(name, ["cell", "other"], {
    "c.png": await bandedImage(IMAGE_SIZE.width, IMAGE_SIZE.height),
  });
  const file = {
    images: [{ id: 1, file_name: "c.png", ...IMAGE_SIZE }],
    categories: [{ id: 1, name: "cell" }],
    annotations: rings.map((ring, i) => ({ id: i + 1, image_id: 1, category_id: 1, segmentation: [ring] })),
  };
  await desk.importCoco(id, file, IMPORT_MS);
  return image("c.png");
}
