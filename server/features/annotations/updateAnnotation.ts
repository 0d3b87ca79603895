import { randomUUID } from "node:crypto";
import type { AnnotationDocument, updateAnnotation as call } from "../../../shared/api/annotation";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { deletion, fieldsOfAnnotation } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import { conflict, revisionChanged } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { visibleCategory } from "../access/access";
import { storeForCall } from "../edits/storeForCall";
import { deletableBy } from "../sentScenes/deletableBy";
import { noteOwn } from "../sentScenes/sentScenes";
import type { Services } from "../services";
import { documentOf, findAnnotation, lockAnnotation } from "./findAnnotation";
import { postedKeypoints } from "./postedKeypoints";
import { postedShape } from "./postedShape";
import { shownTriples } from "./rows/annotationDocument";
import { annotationOf } from "./rows/annotationRow";

/** Sender of a change to an annotation. */
interface Asked {
  /** Remembered to know the change. */
  client: string;
  /** Returns true for revisions that the change was made for. */
  isExpected: (revision: number) => boolean;
}

/**
 * Changes what was sent of an annotation and differs from what GET shows of it, on its newest revision. Throws 400, 404,
 * 412 where that is not an expected one, and 409 for a deleted one.
 */
export async function updateAnnotation(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  id: number,
  body: BodyOf<typeof call>,
  { client, isExpected }: Asked,
): Promise<AnnotationDocument> {
  return storeForCall(services, user, async (trx, store) => {
    const found = await lockAnnotation(trx, user, id);
    const { row, image } = found;
    if (!isExpected(row.revision)) throw revisionChanged(row.revision);
    if (row.deleted_at) throw conflict("This annotation is deleted.");
    const isMoved = body.category_id !== undefined && body.category_id !== row.category_id;
    const category = isMoved ? await visibleCategory(trx, user, body.category_id ?? 0) : found.category;
    const shape = postedShape(body, image, row);
    const isOtherPoints = body.keypoints && !same(body.keypoints, shownTriples(row, found.category.keypoints));
    const points = isOtherPoints
      ? postedKeypoints(body.keypoints ?? [], category.keypoints, isMoved ? null : row.keypoints)
      : undefined;
    const after: AnnotationChange = {
      ...(isMoved && { category_id: category.id }),
      ...(shape && { rings: shape.rings, isbbox: shape.isbbox }),
      ...(points && { keypoints: points.keypoints }),
      ...(body.color && { color: body.color }),
      ...(body.metadata && { metadata: body.metadata }),
    };
    const { uuid: target, revision: base, image_id } = row;
    const edit = { uuid: randomUUID(), subject: "annotation" as const, target, image_id, base };
    const before = fieldsOfAnnotation(annotationOf(row));
    const [answer] = await store([
      { ...edit, action: "modify", before, after, rawShape: shape?.rawShape, extraKeypoints: points?.extraKeypoints },
    ]);
    const revision = answer?.revision ?? base;
    if (revision > base) await noteOwn(trx, client, image_id, { id, revision });
    return documentOf(await findAnnotation(trx, user, id));
  });
}

/**
 * Puts an annotation in the trash; one that is there stays there. Throws 404, 412 where its revision is not an expected one,
 * and 409 where `client` has the image open and was not sent the annotation as it is now.
 */
export async function deleteAnnotation(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  id: number,
  { client, isExpected }: Asked,
): Promise<void> {
  await storeForCall(services, user, async (trx, store) => {
    const named = await lockAnnotation(trx, user, id);
    if (!isExpected(named.row.revision)) throw revisionChanged(named.row.revision);
    const meant = await deletableBy(trx, client, named.row);
    const { row } = meant === id ? named : await findAnnotation(trx, user, meant);
    if (!row.deleted_at) await store([deletion(randomUUID(), annotationOf(row))]);
  });
}
