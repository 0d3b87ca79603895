import type { ManifestImage } from "../../../shared/api/offline";
import { type Choice, DISPLAY_SIDE, type FileForm, type ImageRow } from "./records";

/** Estimated bytes of a display-size file for each of its pixels. */
const BYTES_PER_PIXEL = 0.25;

/** Returns a function that returns true for chosen images. */
export function testOf(choice: Choice | null): (imageId: number) => boolean {
  if (!choice) return () => false;
  if (choice.ids === null) return () => true;
  const ids = new Set(choice.ids);
  return (imageId) => ids.has(imageId);
}

/** Returns true if the image's scene is as new as the manifest and the edits that this browser has sent since. */
export const isCurrent = ({ sceneRevision, revision }: ImageRow): boolean =>
  sceneRevision !== null && sceneRevision >= revision;

/** Returns true if the copy has the image's current file in this form. */
export const hasFile = ({ file, hash }: ImageRow, form: FileForm): boolean =>
  file !== null && file.hash === hash && file.form === form;

/** Returns true if the copy has scene and file of an image. The scene may be outdated. */
export const isHere = (row: ImageRow, form: FileForm): boolean => row.sceneRevision !== null && hasFile(row, form);

/** Returns true if a file in this form is smaller than the image: the display size of a large image. */
export const isReduced = (form: FileForm, { width, height }: Pick<ManifestImage, "width" | "height">): boolean =>
  form === "display" && Math.max(width, height) > DISPLAY_SIDE;

/** Returns the expected size of an image's file in bytes. */
export function expectedBytes(form: FileForm, image: Pick<ManifestImage, "bytes" | "width" | "height">): number {
  if (!isReduced(form, image)) return image.bytes;
  const scale = DISPLAY_SIDE / Math.max(image.width, image.height);
  return Math.min(image.bytes, Math.round(image.width * image.height * scale ** 2 * BYTES_PER_PIXEL));
}
