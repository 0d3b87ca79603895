/** Types of the parts of the package that the benchmarks and tests compare with; it ships no types. */
declare module "magic-wand-tool" {
  interface Mask {
    data: Uint8Array;
    width: number;
    height: number;
    bounds: { minX: number; minY: number; maxX: number; maxY: number };
  }
  interface TestImage {
    data: Uint8Array | Uint8ClampedArray;
    width: number;
    height: number;
    bytes: number;
  }
  interface Contour {
    inner: boolean;
    label: number;
    points: { x: number; y: number }[];
  }
  interface MagicWandTool {
    floodFill(image: TestImage, x: number, y: number, threshold: number, mask?: Uint8Array | null): Mask | null;
    gaussBlurOnlyBorder(mask: Mask, radius: number, visited?: Uint8Array | null): Mask;
    traceContours(mask: Mask): Contour[];
  }
  const tool: MagicWandTool;
  export default tool;
}
