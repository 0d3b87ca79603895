import { type UploadFile, uploadFiles } from "../../uploads/uploads";

/** Returns a dataset name from a file name: "instances val" for "instances val.json". */
export const nameFrom = (file: File): string => file.name.replace(/\.[^.]*$/, "").trim();

/** Files chosen for a new dataset: images, and any COCO files among them. */
export interface Chosen {
  images: UploadFile[];
  cocoFiles: File[];
}

/** Separates chosen files into images and COCO files. The name of a chosen folder is removed from the paths. */
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
