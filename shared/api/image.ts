import { z } from "zod";
import { image } from "../entities/image";
import { id, text } from "../entities/scalars";
import { declare } from "./protocol/call";
import { flag, idInPath, limit, page, pixels } from "./protocol/inputs";
import { success } from "./protocol/outputs";

const params = z.object({ id: idInPath });

export const listImages = declare({
  method: "GET",
  path: "/image/",
  title: "Loading Images",
  access: "user",
  summary: "Get a page of the images that the caller may see",
  query: z.object({ page, per_page: limit(50), fields: z.string().max(1000).optional() }),
  output: z.object({
    total: z.number(),
    pages: z.number(),
    /** Zero-based, as older scripts expect. */
    page: z.number(),
    per_page: z.number(),
    fields: z.array(z.string()),
    images: z.array(image.partial().extend({ id })),
  }),
});

/**
 * Accepts one file in field `image`. `folder` is a path inside the dataset; `dataset_id` may be in the query instead of
 * the body. The response is only the id.
 */
export const uploadImage = declare({
  method: "POST",
  path: "/image/",
  title: "Uploading",
  access: "user",
  summary: "Add one image to a dataset",
  upload: { field: "image" },
  query: z.object({ dataset_id: idInPath.optional() }),
  body: z.object({ dataset_id: idInPath.optional(), folder: text(1000).default("") }),
  output: z.number(),
});

export const getImage = declare({
  method: "GET",
  path: "/image/{id}",
  title: "Loading Image",
  access: "user",
  summary: "Get an image: the stored file if browsers show it upright, scaled down to `width` and `height` if given",
  params,
  query: z.object({
    width: pixels.optional(),
    height: pixels.optional(),
    thumbnail: flag,
    asAttachment: flag,
    original: flag,
  }),
});

export const getImageCoco = declare({
  method: "GET",
  path: "/image/{id}/coco",
  title: "Exporting COCO",
  access: "user",
  summary: "Get the COCO of an image",
  params,
  query: z.object({ segmentation: z.enum(["polygon"]).optional() }),
  output: z.object({
    images: z.array(z.json()),
    categories: z.array(z.json()),
    annotations: z.array(z.json()),
  }),
});

export const deleteImage = declare({
  method: "DELETE",
  path: "/image/{id}",
  title: "Deleting Image",
  access: "user",
  summary: "Move an image to the trash",
  params,
  output: success,
});

/**
 * Copies annotations of image `fromId` to image `toId`: those of `category_ids`, or all if it is absent. Images of
 * different sizes need `scale`, which scales the shapes to the target image.
 */
export const copyAnnotations = declare({
  method: "POST",
  path: "/image/copy/{fromId}/{toId}/annotations",
  title: "Copying Annotations",
  access: "user",
  summary: "Copy annotations from one image into another",
  params: z.object({ fromId: idInPath, toId: idInPath }),
  body: z.object({ category_ids: z.array(z.int()).max(10_000).nullish(), scale: z.boolean().nullish() }),
  output: z.object({ annotations_created: z.number() }),
});
