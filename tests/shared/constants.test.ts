import { expect, test } from "vitest";
import * as constants from "../../shared/constants";

test("the numbers are those of the specification", () => {
  expect(constants).toMatchObject({
    PAGE_SIZE: { datasets: 52, categories: 50, images: 52 },
    PAGER_WINDOW: 11,
    PASSWORD_MIN: 5,
    LIST_LIMITS: [50, 100, 500, 1000],
    GENERATE_LIMIT: 100,
    THUMBNAIL_WIDTH: 250,
    CATEGORY_SEARCH_ABOVE: 5,
    ZOOM: { min: 0.01, max: 10, step: 0.2, fitWidth: 0.95, fitHeight: 0.8 },
    SHAPE_OPACITY: 0.6,
    POLYGON: { completeDistance: 5, minDistance: 2, minPointsOnClick: 3, minPointsOnDrag: 30, samplingRadius: 10 },
    SIMPLIFY: { default: 1 },
    ERASER_MIN_AREA: 10,
    BRUSH: { radius: 30, step: 2, maxRadius: 1000 },
    MAGIC_WAND: { threshold: 30, blur: 40, max: 1000 },
    KEYPOINT: { radius: 6, line: 2, visibility: 2 },
    CONNECTION_LOST_DELAY_MS: 1000,
    TASK_RESET_DELAY_MS: 1000,
    SIDEBAR: { minPx: 150, maxShare: 0.5, defaultShare: 0.2 },
    ORDERS: ["file_name", "id", "path"],
    DEXTR: { padding: 50, maxPadding: 1000, threshold: 80, maxThreshold: 100, points: 4 },
  });
  expect(new Set(constants.KEYPOINT_PALETTE).size).toBe(32);
});
