import { SPLITS, type Split } from "../../../../shared/entities/export";
import { type VocObject, vocBox, vocXml } from "../../../../shared/formats/voc";
import { fileNameOf } from "../../../files/paths/safePath";
import { Unusable } from "../../imports/read/readItem";
import type { Drawn, FormatContext, FormatWriter } from "./format";

/**
 * Returns a writer of Pascal VOC: Annotations/ with one XML file per image, JPEGImages/, and ImageSets/Main/ with the
 * names in each set. A crowd is written as difficult, since neither counts in the benchmark. Flags of imported objects
 * are kept.
 */
export function voc({ datasetName, categories, splits }: FormatContext): FormatWriter {
  const names = new Map<Split | "trainval", string[]>((splits ?? ["trainval" as const]).map((split) => [split, []]));
  return {
    head: () => [],
    imageWriter({ image, stem, split }) {
      const objects: VocObject[] = [];
      names.get(split ?? "trainval")?.push(stem);
      return {
        add(row, category) {
          objects.push(objectOf(row, categories[category]?.name ?? "", image));
        },
        files() {
          const folder = image.folder.replace(/\/$/, "");
          const { width, height } = image;
          const content = vocXml({
            folder,
            filename: fileNameOf(image.path),
            database: datasetName,
            width,
            height,
            objects,
          });
          return [{ path: `Annotations/${stem}.xml`, content }];
        },
      };
    },
    imagePath: ({ image }) => `JPEGImages/${image.path}`,
    tail: () =>
      ["trainval" as const, ...SPLITS].flatMap((split) => {
        const list = names.get(split);
        return list ? [{ path: `ImageSets/Main/${split}.txt`, content: list.map((stem) => `${stem}\n`).join("") }] : [];
      }),
  };
}

function objectOf(
  { bbox, iscrowd, attributes, extra }: Drawn,
  name: string,
  size: { width: number; height: number },
): VocObject {
  const box = vocBox(bbox, size);
  if (!box) throw new Unusable("has no box in the image");
  const { pose, truncated, occluded, difficult } = extra ?? {};
  return {
    name,
    pose: typeof pose === "string" ? pose : "Unspecified",
    truncated: truncated === 1 || attributes?.truncated === true,
    occluded: occluded === 1 || attributes?.occluded === true,
    difficult: iscrowd || difficult === 1,
    box,
  };
}
