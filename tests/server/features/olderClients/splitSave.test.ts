import { expect, test } from "vitest";
import type { SavedAnnotation } from "../../../../server/features/bodies/savedState";
import { splitSave } from "../../../../server/features/olderClients/splitSave";

test("each part of a large save names the scene and the installation that it is based on", () => {
  const coordinates = new Float64Array(60_000);
  const annotations = [1, 2, 3].map(
    (id) => ({ id, sessions: [], path: { coordinates } }) as unknown as SavedAnnotation,
  );
  const dataset = { scene: "scene", installation: "installation", annotate_url: "https://example.org" };
  const parts = splitSave({ image: { id: 1 }, dataset, categories: [{ id: 1, annotations }] });
  expect(parts).toHaveLength(3);
  for (const part of parts) expect(part.dataset).toMatchObject({ scene: "scene", installation: "installation" });
});
