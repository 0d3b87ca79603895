import { randomUUID } from "node:crypto";
import type { AnnotationDocument, createAnnotation as call } from "../../../shared/api/annotation";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { creation } from "../../../shared/edits/make";
import type { Metadata } from "../../../shared/entities/scalars";
import { withDefaults } from "../../../shared/rules/attributeValues";
import { readOnly } from "../../base/errors";
import { type CurrentUser, mayEdit } from "../../base/permissions";
import { keepTexts } from "../../threads/jsonInTurns";
import { visibleCategory, visibleImage } from "../access/access";
import { storeForCall } from "../edits/storeForCall";
import { recordOwnRevision } from "../sentScenes/sentScenes";
import type { Services } from "../services";
import { documentOf, readStored } from "./findAnnotation";
import { postedKeypoints } from "./postedKeypoints";
import { postedShape } from "./postedShape";

/**
 * Creates the posted annotation. Its metadata overrides the dataset's default metadata, and its attributes the defaults
 * of the category. Records that `client` knows the new annotation. Throws 400 for an invalid body, 404 for an image or
 * category that the user cannot see, and 403 for an image that the user may not change.
 */
export async function createAnnotation(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  body: BodyOf<typeof call>,
  client: string,
): Promise<AnnotationDocument> {
  await keepTexts(body);
  return storeForCall(services, user, async (trx, store) => {
    const { image, dataset } = await visibleImage(trx, user, body.image_id);
    const category = await visibleCategory(trx, user, body.category_id);
    if (!mayEdit(user, dataset)) throw readOnly();
    const shape = postedShape(body, image);
    const points = body.keypoints ? postedKeypoints(body.keypoints, category.keypoints) : undefined;
    const uuid = randomUUID();
    const edit = creation(randomUUID(), image.id, uuid, {
      category_id: category.id,
      rings: shape?.rings ?? [],
      isbbox: shape?.isbbox ?? body.isbbox ?? false,
      metadata: { ...dataset.default_annotation_metadata, ...body.metadata },
      attributes: withDefaults((body.attributes ?? {}) as Metadata, category.attributes),
      keypoints: points?.keypoints ?? null,
      ...(body.color && { color: body.color }),
    });
    const hasShape = shape && shape.rings?.length !== 0;
    await store([{ ...edit, ...(hasShape && { rawShape: shape.rawShape }), extraKeypoints: points?.extraKeypoints }]);
    const row = await readStored(trx, uuid, hasShape ? shape.rawShape.shape : null);
    await recordOwnRevision(trx, client, image.id, { id: row.id, revision: 1, isNew: true });
    return documentOf({ row, image, category });
  });
}
