import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { cookieName } from "../../../server/features/access/identity";
import { startSession } from "../../../server/features/access/sessions";
import { createToken } from "../../../server/features/access/tokens";
import { MEMBER_ROLES, type MemberRole } from "../../../shared/entities/member";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import type { TestServer, TestUser } from "../../support/server";
import type { TestClient } from "../../support/testClient";

/** A dataset of one owner with one of everything in it, created again for each attempt, because attempts destroy it. */
export interface Fixture {
  dataset: number;
  image: number;
  category: number;
  annotation: number;
  /** Uuid of a comment on the image. */
  comment: string;
  task: number;
  /** Task of the owner's dry run of an import. */
  dryRun: number;
  export: number;
  version: number;
  import: number;
  webhook: number;
  delivery: number;
  /** API token of the owner. */
  token: number;
  /** Name of a user for admins to change and delete. */
  account: string;
  /** Name of the category, which is matched by name. */
  categoryName: string;
}

export const ROLES = [
  "visitor",
  "deleted account",
  "stranger",
  "namesake",
  "ex-member",
  ...MEMBER_ROLES,
  "owner",
  "admin",
  "login off",
] as const;
export type Role = (typeof ROLES)[number];
export type Cast = Record<Role, TestClient>;

/**
 * All callers: two strangers, one of whose names begins like a member's, a former member, and a caller of a server on
 * the same database with login disabled.
 */
export interface TestUsers {
  cast: Cast;
  owner: TestUser;
  members: Record<MemberRole, TestUser>;
}

export async function makeTestUsers(server: TestServer, open?: TestServer): Promise<TestUsers> {
  const owner = await server.user("owner");
  const members = {
    viewer: await server.user("viewer"),
    annotator: await server.user("member"),
    reviewer: await server.user("reviewer"),
    maintainer: await server.user("maintainer"),
  };
  const deleted = await server.user("deleted");
  await server.db.deleteFrom("users").where("id", "=", deleted.id).execute();
  const cast: Cast = {
    visitor: server.visitor(),
    "deleted account": deleted,
    stranger: await server.user("stranger"),
    namesake: await server.user("mem"),
    "ex-member": await server.user("exmember"),
    ...members,
    owner,
    admin: await server.user("boss", { admin: true }),
    "login off": (open ?? server).visitor(),
  };
  return { cast, owner, members };
}

/** Things that may be in the trash, and their tables. */
export const TRASH_TABLES = {
  dataset: "datasets",
  image: "images",
  category: "categories",
  annotation: "annotations",
} as const;
export type Thing = keyof typeof TRASH_TABLES;

export async function moveToTrash({ db }: TestServer, thing: Thing, fixture: Fixture): Promise<void> {
  await db.updateTable(TRASH_TABLES[thing]).set({ deleted_at: new Date() }).where("id", "=", fixture[thing]).execute();
}

let imageFile: Buffer | undefined;

export async function makeFixture(server: TestServer, { owner, members, cast }: TestUsers): Promise<Fixture> {
  const { db, env } = server;
  const categoryName = `category ${crypto.randomUUID()}`;
  const category = await seedCategory(db, owner.id, categoryName);
  const name = crypto.randomUUID();
  const dataset = await seedDataset(db, { name, ownerId: owner.id, categories: [category] });
  for (const role of MEMBER_ROLES)
    await db.insertInto("dataset_members").values({ dataset_id: dataset, user_id: members[role].id, role }).execute();
  const image = await seedImage(db, dataset, "a.jpg");
  imageFile ??= await sharp({ create: { width: 640, height: 480, channels: 3, background: "#336699" } })
    .jpeg()
    .toBuffer();
  mkdirSync(join(env.DATASETS_DIR, name), { recursive: true });
  writeFileSync(join(env.DATASETS_DIR, name, "a.jpg"), imageFile);
  const annotation = await seedAnnotation(db, image, category);
  const comment: string = crypto.randomUUID();
  await db
    .insertInto("comments")
    .values({ uuid: comment, image_id: image, x: 1, y: 2, text: "Hm", user_name: "owner", created_at: new Date() })
    .execute();
  const { id: task } = await db
    .insertInto("tasks")
    .values({ kind: "scan", name: "scan", key: name, state: "done", creator_id: owner.id, dataset_id: dataset })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: dryRun } = await db
    .insertInto("tasks")
    .values({
      kind: "previewImport",
      name: "dry run",
      key: `dry run ${name}`,
      payload: JSON.stringify({
        dataset_id: dataset,
        user_id: owner.id,
        file_name: "x.json",
        upload: name,
        hash: name,
      }),
      state: "done",
      creator_id: owner.id,
      dataset_id: dataset,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: exported } = await db
    .insertInto("exports")
    .values({ dataset_id: dataset, file: `${name}.json`, bytes: 2 })
    .returning("id")
    .executeTakeFirstOrThrow();
  mkdirSync(join(env.DATA_DIR, "exports"), { recursive: true });
  writeFileSync(join(env.DATA_DIR, "exports", `${name}.json`), "{}");
  const versionFiles = { file: `${name}.json.gz`, entries_file: `${name}.entries.gz` };
  for (const file of Object.values(versionFiles))
    writeFileSync(join(env.DATA_DIR, "exports", file), gzipSync(file === versionFiles.file ? "{}" : ""));
  const { id: version } = await db
    .insertInto("versions")
    .values({
      ...{ dataset_id: dataset, name: "v0", note: "", ...versionFiles, bytes: 2, sha256: "0".repeat(64) },
      ...{ images: 0, annotations: 0, categories: "[]", creator_name: "owner" },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: imported } = await db
    .insertInto("imports")
    .values({ dataset_id: dataset, user_id: owner.id, file_name: "x.json", state: "complete" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: webhook } = await db
    .insertInto("webhooks")
    .values({ dataset_id: dataset, url: "https://example.org/", events: '["task.ended"]', secret: name })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: delivery } = await db
    .insertInto("webhook_deliveries")
    .values({ webhook_id: webhook, event: "ping", state: "delivered" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { token } = await createToken(db, owner.id, { name: "script" });
  await db.deleteFrom("api_tokens").where("id", "!=", token.id).execute();
  const account = crypto.randomUUID().slice(0, 20);
  await db.insertInto("users").values({ username: account }).execute();
  await renewSessions(server, cast);
  return {
    dataset,
    image,
    category,
    annotation,
    comment,
    task,
    dryRun,
    export: exported,
    version,
    import: imported,
    webhook,
    delivery,
    token: token.id,
    account,
    categoryName,
  };
}

/** Attempts include signing out. */
async function renewSessions({ db, env }: TestServer, cast: Cast): Promise<void> {
  const open = await db.selectFrom("sessions").select("user_id").execute();
  for (const client of Object.values(cast)) {
    const id = "id" in client ? Number(client.id) : 0;
    const isHere = id > 0 && (await db.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst());
    if (isHere && !open.some((session) => session.user_id === id))
      client.cookies.set(cookieName(env), await startSession(db, id));
  }
}
