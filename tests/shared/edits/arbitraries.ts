import fc from "fast-check";
import type { AnnotationChange } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";

/** Random annotations and changes of them, for property tests. */

const coordinate = fc.double({ min: -100, max: 5000, noNaN: true });
const ring = fc
  .array(coordinate, { minLength: 3, maxLength: 8 })
  .map((list) => list.flatMap((value) => [value, -value]));
const rings = fc.array(fc.array(ring, { minLength: 1, maxLength: 2 }), { maxLength: 2 });
const color = fc.constantFrom("#000000", "#ff0000", "#00ff00");
const metadata = fc.dictionary(fc.constantFrom("name", "a", "b"), fc.oneof(fc.integer(), fc.string(), fc.boolean()));
const keypoints = fc.option(
  fc.uniqueArray(fc.record({ label: fc.integer({ min: 1, max: 4 }), x: coordinate, y: coordinate, v: fc.nat(3) }), {
    selector: (point) => point.label,
    maxLength: 4,
  }),
);

const fields = {
  category_id: fc.integer({ min: 1, max: 3 }),
  rings: fc.option(rings),
  isbbox: fc.boolean(),
  color,
  metadata,
  attributes: metadata,
  keypoints,
};

export const arbitraryChange: fc.Arbitrary<AnnotationChange> = fc
  .record(fields, { requiredKeys: [] })
  .filter((change) => Object.keys(change).length > 0);

export const arbitraryAnnotation: fc.Arbitrary<Annotation> = fc.record({
  ...fields,
  uuid: fc.uuid(),
  id: fc.option(fc.integer({ min: 1, max: 1000 })),
  image_id: fc.constant(7),
  revision: fc.integer({ min: 0, max: 50 }),
  rle: fc.option(fc.constant({ size: [2, 2] as [number, number], counts: [1, 3] })),
  iscrowd: fc.boolean(),
  area: fc.nat(),
  bbox: fc.constant([0, 0, 0, 0] as [number, number, number, number]),
  creator: fc.constant("ada"),
});
