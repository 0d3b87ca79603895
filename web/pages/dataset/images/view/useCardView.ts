import { useState } from "react";
import { isNumber, recall, remember } from "../../../../io/storage/localStore";

/** Minimum width of a card in pixels; the grid divides the remaining width among the cards of a row. */
export const CARD_SIZE = { min: 130, max: 430, default: 190, step: 30 } as const;

const SIZE = "dataset.cardSize";
const OUTLINES = "dataset.outlines";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

/** Settings of the image cards, remembered by this browser. */
export interface CardView {
  size: number;
  hasOutlines: boolean;
  setSize: (size: number) => void;
  setOutlines: (hasOutlines: boolean) => void;
}

export function useCardView(): CardView {
  const [size, setSize] = useState(() => clampSize(recall(SIZE, isNumber) ?? CARD_SIZE.default));
  const [hasOutlines, setOutlines] = useState(() => recall(OUTLINES, isFlag) ?? true);
  return {
    size,
    hasOutlines,
    setSize: (chosen) => {
      setSize(clampSize(chosen));
      remember(SIZE, clampSize(chosen));
    },
    setOutlines: (chosen) => {
      setOutlines(chosen);
      remember(OUTLINES, chosen);
    },
  };
}

const clampSize = (size: number): number => Math.max(CARD_SIZE.min, Math.min(CARD_SIZE.max, size));
