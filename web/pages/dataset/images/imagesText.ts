/** Returns "1 image", "4 images", … */
export const imagesText = (count: number): string =>
  `${count.toLocaleString("en")} ${count === 1 ? "image" : "images"}`;
