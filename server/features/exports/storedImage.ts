import type { NewMember } from "../../files/zip/zipWriter";
import type { ZipOptions } from "./survey";

/** Yields an image's stored file for the zip. If it is missing from the disk, yields nothing and reports it. */
export async function* storedImage(
  { images, dataset, skipped }: Pick<ZipOptions, "images" | "dataset" | "skipped">,
  image: { path: string },
  path: string,
): AsyncGenerator<NewMember> {
  const file = await images.open(dataset.folder, image.path);
  if (file) yield { path, content: await file.stream(), isPacked: true };
  else skipped.add("the image's file is missing", image.path);
}
