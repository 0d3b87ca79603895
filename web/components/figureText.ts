import { numberText } from "../languages/formats";

/** Returns a figure from 0 to 1 as a percentage, and a dash if there is none. */
export const figureText = (figure: number | null): string =>
  figure === null ? "–" : numberText(figure, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
