import type { Context } from "koa";
import { getDextrModel, segmentWithDextr } from "../../shared/api/model";
import { notFound } from "../base/errors";
import { editableImage } from "../features/access/access";
import { openModelFile } from "../onnx/modelFile";
import { type Route, route } from "./http/route";
import { decodeErrorForUser, GONE } from "./http/sendImage";

export const modelRoutes: Route[] = [
  route(segmentWithDextr, async ({ params, body, user, ctx, services: { db, files, dextr } }) => {
    const { image, dataset } = await editableImage(db, user, params.imageId);
    const { id, path, width, height } = image;
    const { isbbox: isBox, ...clicks } = body;
    const state = await files.images.state(dataset.folder, path);
    if (!state) throw notFound(GONE);
    const imageKey = `${id} ${state.bytes} ${state.modifiedMs}`;
    const { rings, pieces } = await dextr
      .outline({
        userId: user.id,
        job: { imageKey, width, height, request: { ...clicks, isBox } },
        read: (box) => files.images.part({ ...image, folder: dataset.folder }, box),
        signal: signalOf(ctx),
      })
      .catch((error) => {
        throw decodeErrorForUser(error);
      });
    return { segmentation: pieces, segmentaiton: pieces, rings };
  }),

  route(getDextrModel, async ({ params, ctx, services: { dextr } }) => {
    const model = await dextr.model();
    const stream = model?.sha256 === params.sha256 ? await openModelFile(model) : undefined;
    if (!model || !stream) throw notFound("This server does not use this model.");
    ctx.status = 200;
    ctx.type = "application/octet-stream";
    ctx.set("Cache-Control", "private, max-age=31536000, immutable");
    ctx.length = model.bytes;
    if (ctx.method === "HEAD") stream.destroy();
    else ctx.body = stream;
  }),
];

/** Returns a signal that aborts if the client disconnects before the response is sent. */
function signalOf({ res }: Context): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  res.once("close", () => gone.abort());
  return gone.signal;
}
