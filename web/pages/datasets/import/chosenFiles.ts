import { type UploadFile, uploadFiles } from "../../uploads/uploads";

/** "instances val.json" -> "instances val" */
export const nameFrom = (file: File): string => file.name.replace(/\.[^.]*$/, "").trim();

/** Files for a new dataset: its images, and COCO files among them. */
export interface Chosen {
  images: UploadFile[];
  cocoFiles: File[];
}

/** A folder that was chosen becomes the dataset: its own name is no part of the images' paths. */
export function chosenFrom(files: readonly File[]): Chosen {
  const all = withoutTop(uploadFiles(files));
  const isCoco = ({ path }: UploadFile) => /\.json$/i.test(path);
  return { images: all.filter((one) => !isCoco(one)), cocoFiles: all.filter(isCoco).map(({ file }) => file) };
}

function withoutTop(files: readonly UploadFile[]): UploadFile[] {
  const top = files[0]?.path.split("/", 1)[0] ?? "";
  if (!files.every(({ path }) => path.startsWith(`${top}/`))) return [...files];
  return files.map(({ file, path }) => ({ file, path: path.slice(top.length + 1) }));
}
