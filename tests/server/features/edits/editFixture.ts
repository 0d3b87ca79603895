import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { CurrentUser } from "../../../../server/base/permissions";
import type { Schema } from "../../../../server/db/schema";
import { storeBatch } from "../../../../server/features/edits/storeBatch";
import { OlderPages } from "../../../../server/live/olderPages";
import type { AnnotationChange, AnnotationEdit, EditAnswer, EditBatch } from "../../../../shared/edits/edit";
import { NO_KEYPOINTS } from "../../../../shared/entities/keypoint";
import type { AnnotationEvent } from "../../../../shared/events";
import { toStored } from "../../../../shared/rules/keypointDefinition";

/** Users, images and categories in the tables, for tests of edits, and tabs that send them. */

export async function makeAccount(db: Kysely<Schema>, name = "ada", isAdmin = false): Promise<CurrentUser> {
  const username = `${name}-${randomUUID().slice(0, 8)}`;
  const { id } = await db
    .insertInto("users")
    .values({ username, is_admin: isAdmin })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, username, name: "", isAdmin, anonymous: false };
}

export async function makeDataset(db: Kysely<Schema>, owner: CurrentUser): Promise<number> {
  const name = randomUUID();
  const values = { name, folder: name, owner_id: owner.id };
  return (await db.insertInto("datasets").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

export async function makeImage(db: Kysely<Schema>, datasetId: number, name = `${randomUUID()}.jpg`): Promise<number> {
  const { id } = await db
    .insertInto("images")
    .values({
      dataset_id: datasetId,
      path: name,
      folder: "",
      file_name: name,
      width: 100,
      height: 80,
      mime: "image/jpeg",
      bytes: 1,
      modified_ms: 1,
      hash: name,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function makeCategory(db: Kysely<Schema>, creator: CurrentUser, datasetId?: number, labels?: string[]) {
  const { id } = await db
    .insertInto("categories")
    .values({
      name: randomUUID(),
      color: "#336699",
      creator_id: creator.id,
      creator_name: creator.username,
      keypoints: JSON.stringify(toStored(NO_KEYPOINTS, { labels })),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (datasetId) await db.insertInto("dataset_categories").values({ dataset_id: datasetId, category_id: id }).execute();
  return id;
}

export interface EditFixture {
  user: CurrentUser;
  datasetId: number;
  imageId: number;
  categoryId: number;
}

export async function makeEditFixture(db: Kysely<Schema>, labels?: string[]): Promise<EditFixture> {
  const user = await makeAccount(db);
  const datasetId = await makeDataset(db, user);
  const imageId = await makeImage(db, datasetId);
  const categoryId = await makeCategory(db, user, datasetId, labels);
  return { user, datasetId, imageId, categoryId };
}

/** Returns a square of `size` pixels as rings, whose area is the square of `size`. */
export const square = (x: number, y: number, size: number) => [[[x, y, x + size, y, x + size, y + size, x, y + size]]];

/** A user's tab on an image: sends edits, and records the events of the image's room. */
export class Tab {
  readonly client = `tab-${randomUUID()}`;
  readonly events: AnnotationEvent[] = [];
  /** Ids of the users who were notified of comments, for each stored batch with comments. */
  readonly notified: (readonly number[])[] = [];

  constructor(
    readonly db: Kysely<Schema>,
    readonly fixture: EditFixture,
    readonly user: CurrentUser = fixture.user,
  ) {}

  edit(target: string, action: AnnotationEdit["action"], base: number, after: AnnotationChange = {}, before = {}) {
    const { imageId: image_id } = this.fixture;
    return { uuid: randomUUID(), image_id, base, subject: "annotation" as const, target, action, before, after };
  }

  create(after: AnnotationChange = {}, target: string = randomUUID()) {
    const { categoryId: category_id } = this.fixture;
    return this.edit(target, "create", 0, { category_id, rings: square(10, 10, 20), color: "#ff0000", ...after });
  }

  send(edits: unknown[], more: Partial<EditBatch> = {}): Promise<EditAnswer[]> {
    const live = {
      notifyImageRoom: (event: AnnotationEvent) => this.events.push(event),
      notifyTaskProgress: () => undefined,
      notifyRole: () => undefined,
      notifyCategories: () => undefined,
      notifyComments: (ids: readonly number[]) => this.notified.push(ids),
      notifyWork: () => undefined,
      disconnectUser: () => undefined,
      leaveDataset: () => undefined,
      annotating: () => [],
      olderPages: new OlderPages(),
    };
    return storeBatch({ db: this.db, live }, this.user, { client: this.client, edits, ...more });
  }

  async sendOne(edit: unknown): Promise<EditAnswer> {
    const [answer] = await this.send([edit]);
    if (!answer) throw new Error("no answer");
    return answer;
  }
}

export async function annotationRow(db: Kysely<Schema>, uuid: string) {
  return db.selectFrom("annotations").selectAll().where("uuid", "=", uuid).executeTakeFirst();
}

export async function imageRow(db: Kysely<Schema>, id: number) {
  return db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}
