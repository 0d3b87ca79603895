import { folderOf } from "../../../../shared/rules/folders";
import { fileNameOf, hasControl, newImagePath, withoutControl } from "../../../files/paths/safePath";

/** Places at which the file of an image may be, as paths below the folder of images, most likely first. */
export interface ImagePlace {
  /** Path inside the dataset. */
  path: string;
  /** True if Limn does not allow the old path. */
  isRenamed: boolean;
  candidates: string[];
}

interface OldDataset {
  name: string;
  /** Absolute folder in the old server's container; "" if unknown. */
  directory: string;
}

const segmentsOf = (path: string): string[] =>
  (path.includes("/") ? path : path.replaceAll("\\", "/"))
    .split("/")
    .filter((segment) => segment !== "" && segment !== "." && segment !== ".." && !segment.includes("\0"));

/**
 * Finds an image's place from its absolute path in the old server's container, e.g. /datasets/cats/a/1.jpg. Returns
 * undefined if it has neither path nor file name. Paths never lead out of the folder of images.
 */
export function imagePlace(dataset: OldDataset, path: string, fileName: string): ImagePlace | undefined {
  const segments = segmentsOf(path);
  const name = segments.at(-1) ?? segmentsOf(fileName).at(-1);
  if (name === undefined) return undefined;
  const home = segmentsOf(dataset.directory);
  const folder = home.at(-1) ?? dataset.name;
  const inside = insideDataset(segments, home, dataset.name) ?? [name];
  const candidates = [
    [folder, ...inside],
    [dataset.name, ...inside],
    segments.slice(1),
    segments,
    ...(home.length > 1 ? [[...home, ...inside]] : []),
    inside,
  ];
  const paths = [...new Set(candidates.map((parts) => segmentsOf(parts.join("/")).join("/")))];
  const safe = safeImagePath(inside.join("/"));
  return { path: safe, isRenamed: safe !== inside.join("/"), candidates: paths.filter((each) => each !== "") };
}

/** Returns the part of a path inside its dataset; undefined if the path is not in the dataset's folder. */
function insideDataset(segments: string[], home: string[], name: string): string[] | undefined {
  if (home.length > 0 && home.every((part, i) => segments[i] === part) && segments.length > home.length)
    return segments.slice(home.length);
  const at = segments.lastIndexOf(home.at(-1) ?? name, segments.length - 2);
  const own = at >= 0 ? at : segments.lastIndexOf(name, segments.length - 2);
  return own >= 0 ? segments.slice(own + 1) : undefined;
}

/** Returns a path that Limn allows for an image: the given one if it may be uploaded, otherwise a similar one. */
export function safeImagePath(path: string): string {
  if (isAllowed(path)) return path;
  const plain = path.split("/").map(safeSegment).join("/");
  if (isAllowed(plain)) return plain;
  const name = fileNameOf(plain);
  return isAllowed(name) ? name : `image${/\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0] ?? ""}`;
}

function isAllowed(path: string): boolean {
  try {
    return newImagePath(folderOf(path), fileNameOf(path)) === path;
  } catch {
    return false;
  }
}

function safeSegment(segment: string): string {
  const plain = (hasControl(segment) ? withoutControl(segment) : segment.toWellFormed())
    .replaceAll("\\", "_")
    .replaceAll("\u{fffd}", "_")
    .replace(/^[. ]+/, "_")
    .replace(/[. ]+$/, "_");
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(plain)?.[0] ?? "";
  let stem = plain.slice(0, plain.length - extension.length);
  while (Buffer.byteLength(stem) > 200) stem = [...stem].slice(0, -1).join("");
  return /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i.test(stem) ? `${stem}_${extension}` : stem + extension;
}
