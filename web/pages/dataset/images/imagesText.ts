import { plural } from "@lingui/core/macro";
/** Returns "1 image", "4 images", … */
export const imagesText = (count: number): string => plural(count, { one: "# image", other: "# images" });
