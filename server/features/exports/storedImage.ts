import type { NewMember } from "../../files/zip/zipWriter";
import type { ZipOptions } from "./survey";

/** An image's file as it is stored, for the zip; nothing where it is gone from the disk, which is told. */
export async function* storedImage(
  { images, dataset, skipped }: Pick<ZipOptions, "images" | "dataset" | "skipped">,
  image: { path: string },
  path: string,
): AsyncGenerator<NewMember> {
  const file = await images.open(dataset.folder, image.path);
  if (file) yield { path, content: file.stream(), isPacked: true };
  else skipped.add("the image's file is not there any more", image.path);
}
