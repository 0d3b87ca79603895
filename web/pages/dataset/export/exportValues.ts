import { type ExportFormat, type SegmentationForm, SPLITS, type Split } from "../../../../shared/entities/export";
import type { ExportChoice } from "../../../queries/dataset";

/** Values of the export dialog. */
export interface ExportValues {
  format: ExportFormat;
  /** Empty: each as it is best written. */
  segmentation: SegmentationForm | "";
  /** Ids as text; none stands for all. */
  categories: number[];
  folder: string;
  withEmptyImages: boolean;
  withImages: boolean;
  isSplit: boolean;
  /** Percent; text while a field is empty. */
  shares: Record<Split, number | string>;
  seed: string;
}

export const INITIAL_VALUES: ExportValues = {
  format: "coco",
  segmentation: "",
  categories: [],
  folder: "",
  withEmptyImages: false,
  withImages: false,
  isSplit: false,
  shares: { train: 80, val: 10, test: 10 },
  seed: "0",
};

/** Undefined when there is none. */
export function problemOfSplit({ isSplit, shares }: ExportValues): string | undefined {
  if (!isSplit) return undefined;
  const sum = SPLITS.reduce((total, split) => total + Number(shares[split]), 0);
  return Math.abs(sum - 100) < 0.01 ? undefined : `The shares add up to ${Math.round(sum * 100) / 100} %, not 100 %.`;
}

/** The wish as the call takes it; what is not wished for is left out. */
export function exportQuery(wish: ExportValues): ExportChoice {
  const folder = wish.folder.trim();
  return {
    format: wish.format,
    categories: wish.categories,
    with_empty_images: wish.withEmptyImages,
    with_images: wish.withImages,
    ...(folder !== "" && { folder }),
    ...(wish.format === "coco" && wish.segmentation !== "" && { segmentation: wish.segmentation }),
    ...(wish.isSplit && { split: SPLITS.map((split) => Number(wish.shares[split])).join(","), seed: wish.seed }),
  };
}
