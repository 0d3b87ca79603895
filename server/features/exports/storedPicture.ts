import type { NewMember } from "../../files/zip/zipWriter";
import type { ZipOptions } from "./survey";

/** An image's file as it is stored, for the zip; nothing where it is gone from the disk, which is told. */
export async function* storedPicture(
  { pictures, dataset, skipped }: Pick<ZipOptions, "pictures" | "dataset" | "skipped">,
  image: { path: string },
  path: string,
): AsyncGenerator<NewMember> {
  const file = await pictures.open(dataset.folder, image.path);
  if (file) yield { path, content: file.stream(), isPacked: true };
  else skipped.add("the picture's file is not there any more", image.path);
}
