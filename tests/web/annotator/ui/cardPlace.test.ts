import { describe, expect, it } from "vitest";
import { cardPlace } from "../../../../web/annotator/ui/tour/cardPlace";

const CARD = { width: 320, height: 180 };
const WINDOW = { width: 1280, height: 720 };

describe("the place of the tour's card", () => {
  it("is right of its control, else left of it", () => {
    const button = { left: 6, top: 200, width: 32, height: 32 };
    expect(cardPlace(button, CARD, WINDOW)).toEqual({ left: 52, top: 200 });
    expect(cardPlace({ ...button, left: 1200 }, CARD, WINDOW)).toEqual({ left: 1200 - 14 - 320, top: 200 });
  });

  it("is below or above its control in a narrow window", () => {
    const narrow = { width: 390, height: 844 };
    const wide = { left: 20, top: 100, width: 340, height: 40 };
    expect(cardPlace(wide, CARD, narrow)).toEqual({ left: 20, top: 154 });
    expect(cardPlace({ ...wide, top: 780 }, CARD, narrow)).toEqual({ left: 20, top: 780 - 14 - 180 });
  });

  it("is inside the window, also without a control", () => {
    const low = { left: 6, top: 700, width: 32, height: 32 };
    expect(cardPlace(low, CARD, WINDOW).top).toBe(720 - 180 - 14);
    expect(cardPlace(undefined, CARD, WINDOW)).toEqual({ left: 72, top: 720 - 180 - 14 });
  });
});
