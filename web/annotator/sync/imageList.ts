import { getPlace } from "../../../shared/api/annotator";
import { getDataset } from "../../../shared/api/datasets/datasetImages";
import type { ImageSummary } from "../../../shared/entities/image";
import { request } from "../../io/http/request";
import type { ImageList } from "../document/ports";

/** Number of images that are requested at a time. */
const PAGE = 100;

/** Returns the list of images that previous and next of an image follow. `context`: the list's filter and order. */
export function imageList(imageId: number, datasetId: number, context: Record<string, string>): ImageList {
  return {
    place: () => request(getPlace, { params: { id: imageId }, query: context }),
    read: async (offset, limit) => {
      const images: ImageSummary[] = [];
      const first = Math.floor(offset / PAGE);
      const end = offset + limit;
      for (let index = first; index * PAGE < end; index++) {
        const query = { order: "path", ...context, page: index + 1, limit: PAGE };
        const page = await request(getDataset, { params: { id: datasetId }, query });
        images.push(...page.images);
        if (page.images.length < PAGE) break;
      }
      return images.slice(offset - first * PAGE, end - first * PAGE);
    },
  };
}
