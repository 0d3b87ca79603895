import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawScene, renderScene, sceneCoco } from "./drawnScenes";
import { findSamples } from "./samples";

/** Images to label and their COCO file: real photographs if they are beside the repository, otherwise drawn scenes. */
export interface Photographs {
  files: string[];
  coco: string;
  images: number;
  annotations: number;
  /** Parsed content of the file. */
  document: CocoDocument;
}

export interface CocoDocument {
  images: { id: number; file_name: string; width: number; height: number }[];
  categories: { id: number; name: string; supercategory?: string }[];
  annotations: CocoAnnotation[];
}

export interface CocoAnnotation {
  id: number;
  image_id: number;
  category_id: number;
  segmentation?: number[][] | { size: number[]; counts: number[] | string };
  area: number;
  bbox: number[];
  iscrowd: number;
  keypoints?: number[];
}

const SCENES = 30;

/** Returns the photographs, or scenes that it draws in `folder`. */
export async function loadPhotographs(folder: string): Promise<Photographs> {
  const samples = findSamples();
  return samples ? read(samples.images, samples.instances) : drawPhotographs(folder);
}

/** Draws scenes in `folder`. */
export async function drawPhotographs(folder: string): Promise<Photographs> {
  const images = join(folder, "images");
  mkdirSync(images, { recursive: true });
  const scenes = Array.from({ length: SCENES }, (_, i) => drawScene(i, 640, 420 + (i % 3) * 30));
  for (const scene of scenes) writeFileSync(join(images, scene.fileName), await renderScene(scene));
  const coco = join(folder, "scenes.json");
  writeFileSync(coco, JSON.stringify(sceneCoco(scenes)));
  return read(images, coco);
}

function read(images: string, coco: string): Photographs {
  const document: CocoDocument = JSON.parse(readFileSync(coco, "utf8"));
  const files = readdirSync(images)
    .sort()
    .map((name) => join(images, name));
  return { files, coco, images: files.length, annotations: document.annotations.length, document };
}
