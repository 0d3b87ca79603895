import type { UnopenedMember } from "./openAhead";
import type { ZipOptions } from "./survey";

/** Returns an image's stored file for the zip. If it is missing from the disk, there is none, which is reported. */
export const storedImage = (
  { images, dataset, skipped }: Pick<ZipOptions, "images" | "dataset" | "skipped">,
  image: { path: string },
  path: string,
): UnopenedMember => ({
  async open() {
    const file = await images.open(dataset.folder, image.path);
    if (file) return { path, content: await file.stream(), isPacked: true };
    skipped.add("the image's file is missing", image.path);
    return undefined;
  },
});
