import { t } from "@lingui/core/macro";
import { type ExportFormat, type SegmentationForm, SPLITS, type Split } from "../../../../shared/entities/export";
import type { ExportChoice } from "../../../queries/dataset";

/** Values of the export dialog. */
export interface ExportValues {
  format: ExportFormat;
  /** Empty means polygons, with RLE for holes and crowds. */
  segmentation: SegmentationForm | "";
  /** Category ids; empty means all. */
  categories: number[];
  folder: string;
  withEmptyImages: boolean;
  onlyAccepted: boolean;
  withImages: boolean;
  isSplit: boolean;
  /** In percent; text while a field is empty. */
  shares: Record<Split, number | string>;
  seed: string;
}

export const INITIAL_VALUES: ExportValues = {
  format: "coco",
  segmentation: "",
  categories: [],
  folder: "",
  withEmptyImages: false,
  onlyAccepted: false,
  withImages: false,
  isSplit: false,
  shares: { train: 80, val: 10, test: 10 },
  seed: "0",
};

/** Returns an error message if the shares do not add up to 100%. */
export function problemOfSplit({ isSplit, shares }: ExportValues): string | undefined {
  if (!isSplit) return undefined;
  const sum = SPLITS.reduce((total, split) => total + Number(shares[split]), 0);
  if (Math.abs(sum - 100) < 0.01) return undefined;
  const percent = Math.round(sum * 100) / 100;
  return t`The shares add up to ${percent}%, not 100%.`;
}

/** Converts the dialog's values to query parameters. Options that are not chosen are left out. */
export function exportQuery(values: ExportValues): ExportChoice {
  const folder = values.folder.trim();
  return {
    format: values.format,
    categories: values.categories,
    with_empty_images: values.withEmptyImages,
    with_images: values.withImages,
    ...(values.onlyAccepted && { only_accepted: true }),
    ...(folder !== "" && { folder }),
    ...(values.format === "coco" && values.segmentation !== "" && { segmentation: values.segmentation }),
    ...(values.isSplit && { split: SPLITS.map((split) => Number(values.shares[split])).join(","), seed: values.seed }),
  };
}
