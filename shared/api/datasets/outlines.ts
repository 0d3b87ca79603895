import { z } from "zod";
import { id } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { idInPath, idList } from "../protocol/inputs";

/** Largest number of images whose outlines one call returns. */
export const MAX_OUTLINED_IMAGES = 200;

export const imageOutlines = z.object({
  id,
  /** SVG path data by category. The longer side of the upright image has 500 units. */
  paths: z.array(z.object({ category: id, path: z.string() })),
  /** Number of annotations without an outline, because the image has too many annotations. */
  omitted: z.number(),
});
export type OutlinesOfImage = z.infer<typeof imageOutlines>;

export const getOutlines = declare({
  method: "GET",
  path: "/dataset/{id}/outlines",
  title: "Loading Annotations",
  access: "user",
  summary: "Get simplified outlines of the annotations of up to 200 images, to be drawn over their thumbnails",
  params: z.object({ id: idInPath }),
  query: z.object({
    ids: idList.refine(
      (ids) => ids === undefined || ids.length <= MAX_OUTLINED_IMAGES,
      `At most ${MAX_OUTLINED_IMAGES} images`,
    ),
  }),
  output: z.object({
    /** In the order of `ids`, without images that are deleted or not in this dataset. */
    outlines: z.array(imageOutlines),
    categories: z.array(z.object({ id, color: z.string() })),
  }),
});
