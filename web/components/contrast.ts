/** Black or white, whichever has the higher contrast on `color` (`#rrggbb`), as WCAG 2 measures it: 4.58 at the least. */
export function textOn(color: string): "#000" | "#fff" {
  const luminance = luminanceOf(color);
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000" : "#fff";
}

/** Relative luminance of sRGB, 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear((Number.parseInt(color.slice(at, at + 2), 16) || 0) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
