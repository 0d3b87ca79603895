/**
 * Supported image types, detected by a file's first bytes, never by its name. SVG is not supported, since it may
 * contain scripts.
 */
export type ImageType = "jpeg" | "png" | "gif" | "webp" | "tiff" | "bmp" | "avif";

export const MIME: Record<ImageType, string> = {
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  tiff: "image/tiff",
  bmp: "image/bmp",
  avif: "image/avif",
};

/** Number of bytes that `typeOf` needs. */
export const HEAD_BYTES = 64;

/** Returns the type of a file that starts with `head`; undefined if it is not supported. */
export function typeOf(head: Buffer): ImageType | undefined {
  const text = head.toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "webp";
  if (/^(II[*+]\0|MM\0[*+])/.test(text)) return "tiff";
  if (isBmp(head)) return "bmp";
  if (isAvif(text)) return "avif";
  return undefined;
}

/** Returns true for a bitmap. Text files may start with "BM" too, so the second header must have a known size. */
function isBmp(head: Buffer): boolean {
  return (
    head.length >= 26 && head.toString("latin1", 0, 2) === "BM" && [12, 40, 52, 56, 108, 124].includes(head[14] ?? 0)
  );
}

/**
 * Returns true if the file type box has avif or avis as its major brand or as a compatible brand. Source: ISO/IEC
 * 23000-22.
 */
function isAvif(text: string): boolean {
  if (text.slice(4, 8) !== "ftyp") return false;
  const end = Math.min(text.length, text.charCodeAt(2) * 256 + text.charCodeAt(3));
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12 && /^avi[fs]$/.test(text.slice(at, at + 4))) return true;
  return false;
}

/**
 * Returns the reason why an image is not supported, phrased for a message; undefined if the file does not look like an
 * image.
 */
export function unsupportedKind(head: Buffer, name: string): string | undefined {
  const text = head.toString("latin1");
  if (/^[\s\xef\xbb\xbf]*<(\?xml|!doctype svg|svg|!--)/i.test(text)) return "it is SVG or another XML file";
  if (/^[\s\xef\xbb\xbf]*<(!doctype html|html|script)/i.test(text)) return "it is a web page";
  if (text.slice(4, 8) === "ftyp" && /hei[cxfs]|mif1|msf1/.test(text.slice(8))) return HEIC;
  const beginsWith = (...begins: string[]) => begins.some((begin) => text.startsWith(begin));
  if (beginsWith("\xff\x0a", "\0\0\0\x0cJXL ")) return convertible("JPEG XL");
  if (beginsWith("\xff\x4f\xff\x51", "\0\0\0\x0cjP  ")) return convertible("JPEG 2000");
  return isImageName(name) ? "its type is not supported" : undefined;
}

const convertible = (type: string): string => `${type} is not supported: convert it to JPEG or PNG`;
const HEIC =
  "HEIC is not supported: convert it to JPEG, for example by exporting it from a photo program, or set the phone's camera to “Most Compatible”";

/** Returns true if a file name has the extension of an image, supported or not. */
export const isImageName = (name: string): boolean => IMAGE_NAME.test(name);

const IMAGE_NAME = /\.(jpe?g|jpe|jfif|png|apng|gif|webp|tiff?|bmp|dib|avif|svgz?|hei[cf]|jxl|jp2|j2k|psd|ico)$/i;
