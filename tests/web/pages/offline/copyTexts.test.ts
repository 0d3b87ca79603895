import { describe, expect, it } from "vitest";
import type { CopyProgress } from "../../../../web/offline/copy/copiesState";
import {
  choiceText,
  estimateText,
  isTooLarge,
  roomText,
  shareOf,
  sizeText,
  stateText,
} from "../../../../web/pages/offline/copyTexts";
import { timeText } from "../../../../web/pages/offline/timeText";

const copy = (part: Partial<CopyProgress> = {}): CopyProgress => ({
  datasetId: 1,
  name: "Street",
  state: "running",
  choice: { form: "original", ids: null },
  problem: null,
  syncedAt: null,
  images: { total: 1280, here: 3 },
  bytes: { total: 400_000_000, here: 100_000_000 },
  ...part,
});

describe("the state of a copy", () => {
  it("counts images while they are downloaded, and says when only changes are missing", () => {
    expect(stateText(copy())).toBe("Downloading 3 of 1,280 images");
    expect(stateText(copy({ state: "paused" }))).toBe("Paused at 3 of 1,280 images");
    expect(stateText(copy({ images: { total: 1280, here: 1280 } }))).toBe("Updating");
    expect(stateText(copy({ state: "waiting" }))).toBe("Waiting to download");
    expect(stateText(copy({ state: "complete" }))).toBe("Available offline");
  });

  it("shows the reason for a failure", () => {
    expect(stateText(copy({ state: "failed", problem: "This browser's storage is full." }))).toBe(
      "This browser's storage is full.",
    );
  });

  it("the fraction counts bytes, or images while the bytes are unknown, and is 1 for a complete copy", () => {
    expect(shareOf(copy())).toBe(0.25);
    expect(shareOf(copy({ images: { total: 4, here: 1 }, bytes: { total: 0, here: 0 } }))).toBe(0.25);
    expect(shareOf(copy({ images: { total: 0, here: 0 }, bytes: { total: 0, here: 0 } }))).toBe(0);
    expect(shareOf(copy({ state: "complete", images: { total: 0, here: 0 }, bytes: { total: 0, here: 0 } }))).toBe(1);
  });

  it("describes the downloaded part and the choice", () => {
    expect(sizeText(copy())).toBe("3 of 1,280 images, 100 MB of 400 MB");
    expect(sizeText(copy({ images: { total: 1, here: 1 }, bytes: { total: 5, here: 5 } }))).toBe("1 image, 5 B");
    expect(choiceText({ form: "original", ids: null })).toBe("All images, original files");
    expect(choiceText({ form: "display", ids: [4] })).toBe("1 image, display size");
  });
});

describe("an estimate", () => {
  it("names the free storage of the browser only if it is known", () => {
    expect(estimateText({ images: 2, bytes: 1_500_000, free: null })).toBe("2 images, about 1.5 MB");
    expect(roomText({ images: 2, bytes: 1_500_000, free: 3_000_000_000 })).toBe("3.0 GB free in this browser");
    expect(roomText({ images: 2, bytes: 1_500_000, free: null })).toBeUndefined();
  });

  it("does not fit if the missing bytes exceed the free storage", () => {
    expect(isTooLarge({ images: 1, bytes: 100, free: 99 }, 0)).toBe(true);
    expect(isTooLarge({ images: 1, bytes: 100, free: 99 }, 1)).toBe(false);
    expect(isTooLarge({ images: 1, bytes: 100, free: null }, 0)).toBe(false);
  });
});

it("a time on another day is shown with its date", () => {
  const noon = new Date(2026, 10, 23, 12, 5).getTime();
  expect(timeText(noon, noon + 3_600_000)).toBe("12:05");
  expect(timeText(noon, noon + 86_400_000)).toBe("23 Nov, 12:05");
});
