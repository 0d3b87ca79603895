import sharp from "sharp";
import { type ChosenFile, HEIGHT, WIDTH } from "./steps";

/** A file name as macOS writes it: the accent is a character of its own. */
export const FILE = "cafe\u0301 2.png";

/** Returns PNG files of a grey image with a red square from (500, 100) to (700, 300). */
export async function images(names: readonly string[]): Promise<ChosenFile[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#577"/><rect x="500" y="100" width="200" height="200" fill="#d00"/></svg>`;
  const content = await sharp(Buffer.from(svg)).png().toBuffer();
  return names.map((name) => ({ name, type: "image/png", content }));
}
