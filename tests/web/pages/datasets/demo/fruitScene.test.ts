import { describe, expect, it } from "vitest";
import { isSimple } from "../../../../../shared/geometry/isSimple";
import { ringBounds, signedArea } from "../../../../../shared/geometry/ring";
import { FRUIT, fruitScene, SCENE, sceneCoco } from "../../../../../web/pages/datasets/demo/fruitScene";

const scenes = Array.from({ length: 8 }, (_, i) => fruitScene(i + 1));

describe("the scenes of the demo", () => {
  it("are the same each time", () => {
    expect(fruitScene(3)).toEqual(scenes[2]);
    expect(fruitScene(4)).not.toEqual(scenes[2]);
  });

  it("have several fruit of every kind, inside the image and apart from each other", () => {
    for (const { fruit } of scenes) {
      expect(fruit.length).toBeGreaterThan(3);
      const boxes = fruit.map(({ ring }) => ringBounds(ring));
      for (const [i, [x, y, width, height]] of boxes.entries()) {
        expect(Math.min(x, y)).toBeGreaterThan(0);
        expect(x + width).toBeLessThan(SCENE.width);
        expect(y + height).toBeLessThan(SCENE.height);
        for (const [a, b, c, d] of boxes.slice(i + 1))
          expect(a > x + width || x > a + c || b > y + height || y > b + d).toBe(true);
      }
    }
    const kinds = scenes.flatMap(({ fruit }) => fruit.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(FRUIT));
  });

  it("have outlines that do not cross themselves", () => {
    for (const { fruit } of scenes) for (const { ring } of fruit) expect(isSimple(ring)).toBe(true);
  });

  it("are written to a COCO file", () => {
    const { images, annotations, categories } = sceneCoco(scenes, (i) => `${i}.jpg`);
    expect(images[1]).toEqual({ id: 2, file_name: "1.jpg", width: 960, height: 640 });
    expect(annotations).toHaveLength(scenes.reduce((sum, { fruit }) => sum + fruit.length, 0));
    expect(categories.map(({ name }) => name)).toEqual(FRUIT);
    const [first] = annotations;
    expect(first!.area).toBeCloseTo(Math.abs(signedArea(first!.segmentation[0]!)), 1);
  });
});
