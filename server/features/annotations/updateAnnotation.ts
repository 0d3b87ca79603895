import { randomUUID } from "node:crypto";
import type { AnnotationDocument, updateAnnotation as call } from "../../../shared/api/annotation";
import type { BodyOf } from "../../../shared/api/protocol/call";
import type { AnnotationChange } from "../../../shared/edits/edit";
import { deletion, fieldsOfAnnotation } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import { conflict, revisionChanged } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { keepTexts } from "../../threads/jsonInTurns";
import { visibleCategory } from "../access/access";
import { storeForCall } from "../edits/storeForCall";
import { deletionTarget } from "../sentScenes/deletionTarget";
import { recordOwnRevision } from "../sentScenes/sentScenes";
import type { Services } from "../services";
import { documentOf, findAnnotation, lockAnnotation, readStored } from "./findAnnotation";
import { postedKeypoints } from "./postedKeypoints";
import { postedShape } from "./postedShape";
import { shownTriples } from "./rows/annotationDocument";
import { annotationOf } from "./rows/annotationRow";

/** The client that requests a change, and the revisions that it accepts. */
interface Requester {
  /** Id of the client, which is recorded as knowing the change. */
  client: string;
  /** Returns true for a revision on which the change may be applied. */
  isExpected: (revision: number) => boolean;
}

/** Requester of a deletion. */
interface Deleter extends Requester {
  /** True for a page of an older client, which may delete an annotation only in the version that it was sent. */
  isOlderPage: boolean;
}

/**
 * Applies the sent fields of an annotation that differ from what GET returns, on its newest revision. Throws 400, 404,
 * 412 if that revision is not an expected one, and 409 if the annotation is deleted.
 */
export async function updateAnnotation(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  id: number,
  body: BodyOf<typeof call>,
  { client, isExpected }: Requester,
): Promise<AnnotationDocument> {
  await keepTexts(body);
  return storeForCall(services, user, async (trx, store) => {
    const found = await lockAnnotation(trx, user, id);
    const { row, image } = found;
    if (!isExpected(row.revision)) throw revisionChanged(row.revision);
    if (row.deleted_at) throw conflict("This annotation is deleted.");
    const isMoved = body.category_id !== undefined && body.category_id !== row.category_id;
    const category = isMoved ? await visibleCategory(trx, user, body.category_id ?? 0) : found.category;
    const shape = postedShape(body, image, row);
    const hasNewPoints = body.keypoints && !same(body.keypoints, shownTriples(row, found.category.keypoints));
    const points = hasNewPoints
      ? postedKeypoints(body.keypoints ?? [], category.keypoints, isMoved ? null : row.keypoints)
      : undefined;
    const after: AnnotationChange = {
      ...(isMoved && { category_id: category.id }),
      ...(shape && { rings: shape.rings, isbbox: shape.isbbox }),
      ...(points && { keypoints: points.keypoints }),
      ...(body.color && { color: body.color }),
      ...(body.metadata && { metadata: body.metadata }),
      ...(body.attributes && { attributes: body.attributes }),
    };
    const { uuid: target, revision: base, image_id } = row;
    const edit = { uuid: randomUUID(), subject: "annotation" as const, target, image_id, base };
    const before = fieldsOfAnnotation(annotationOf(row));
    const [answer] = await store([
      { ...edit, action: "modify", before, after, rawShape: shape?.rawShape, extraKeypoints: points?.extraKeypoints },
    ]);
    const revision = answer?.revision ?? base;
    if (revision === base) return documentOf(found);
    await recordOwnRevision(trx, client, image_id, { id, revision });
    const stored = await readStored(trx, target, shape ? shape.rawShape.shape : row.shape);
    return documentOf({ row: stored, image, category });
  });
}

/**
 * Moves an annotation to the trash; does nothing if it is there already. Throws 404, 412 if its revision is not an
 * expected one, and 409 if the client's page may not have been sent the current version (`deletionTarget`).
 */
export async function deleteAnnotation(
  services: Pick<Services, "db" | "live">,
  user: CurrentUser,
  id: number,
  { client, isExpected, isOlderPage }: Deleter,
): Promise<void> {
  const { olderPages } = services.live;
  await storeForCall(services, user, async (trx, store) => {
    const named = await lockAnnotation(trx, user, id);
    if (!isExpected(named.row.revision)) throw revisionChanged(named.row.revision);
    const targetId = await deletionTarget(trx, { client, isOlderPage, olderPages }, named.row);
    const { row } = targetId === id ? named : await findAnnotation(trx, user, targetId);
    if (!row.deleted_at) await store([deletion(randomUUID(), annotationOf(row))]);
  });
}
