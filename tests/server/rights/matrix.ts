import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { api } from "../../../shared/api";
import type { Call } from "../../../shared/api/protocol/call";
import type { RequestMore } from "../../support/testClient";
import type { Fixture, Thing } from "./fixture";

/**
 * Rights of each role, as data. `everybody` needs no login; `users` are all signed-in users, for their own view;
 * `members` see the dataset; `annotators`, `maintainers` and `owners` have this role in it or a higher one, and members
 * below get 403; `taskManagers` are like maintainers, but invisible to the others; `creators` of the category; `owner`
 * is the dataset's owner alone, for private data; `admins`: the others get 403.
 */
export type May =
  | "everybody"
  | "users"
  | "members"
  | "annotators"
  | "maintainers"
  | "owners"
  | "taskManagers"
  | "creators"
  | "owner"
  | "admins";

export interface Row {
  call: Call;
  may: May;
  /** Status while this thing, which the request names or depends on, is in the trash; 404 by default. */
  inTrash?: Partial<Record<Thing, number | "as live">>;
  /** Status with login disabled, if it differs from the owners' status. */
  loginOff?: number;
  /** Returns a valid request on the fixture's objects. */
  request?: (fixture: Fixture) => { path?: Record<string, number | string>; query?: string } & RequestMore;
}

const {
  info,
  user,
  token,
  admin,
  dataset,
  boxes,
  figures,
  bulk,
  exports,
  image,
  category,
  comments,
  consensus,
  annotation,
  annotator,
  history,
  model,
  offline,
  outlines,
  quality,
  queue,
  tasks,
  undo,
  versions,
  webhooks,
  work,
} = api;
const imageFile = (field: string, more: Record<string, string> = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(more)) body.append(name, value);
  body.append(field, new Blob(["[]"]), "x.json");
  return { body };
};
const ofDataset = (f: Fixture) => ({ path: { id: f.dataset } });
const ofImage = (f: Fixture) => ({ path: { id: f.image } });
const ofCategory = (f: Fixture) => ({ path: { id: f.category } });
const ofAnnotation = (f: Fixture) => ({ path: { id: f.annotation } });
const ofTask = (f: Fixture) => ({ path: { id: f.task } });
const ofExport = (f: Fixture) => ({ path: { id: f.export } });
const ofVersion = (f: Fixture) => ({ path: { id: f.version } });
const network = () =>
  createHash("sha256")
    .update(readFileSync(new URL("../../../model/dextr.onnx", import.meta.url)))
    .digest("hex");
const extremes = [
  [100, 50],
  [200, 100],
  [100, 150],
  [50, 100],
];
const ofWebhook = (f: Fixture) => ({ path: { id: f.dataset, webhookId: f.webhook } });
const ofAccount = (f: Fixture) => ({ path: { username: f.account } });
const name = () => `made ${crypto.randomUUID()}`;

export const matrix: Row[] = [
  { call: info.getInfo, may: "everybody" },
  { call: info.getHealth, may: "everybody" },
  { call: info.getLiveness, may: "everybody" },
  { call: info.getReadiness, may: "everybody" },

  { call: user.getUser, may: "users" },
  {
    call: user.register,
    may: "everybody",
    loginOff: 403,
    request: () => ({ json: { username: crypto.randomUUID().slice(0, 20), password: "secret" } }),
  },
  {
    call: user.login,
    may: "everybody",
    loginOff: 403,
    request: () => ({ json: { username: "nobody", password: "x" } }),
  },
  { call: user.logout, may: "users" },
  {
    call: user.changePassword,
    may: "users",
    loginOff: 403,
    request: () => ({ json: { password: "x", new_password: "secret" } }),
  },

  { call: user.resetPreferences, may: "users" },
  { call: token.listTokens, may: "users", loginOff: 403 },
  { call: token.createToken, may: "users", loginOff: 403, request: () => ({ json: { name: "script" } }) },
  { call: token.revokeToken, may: "owner", loginOff: 403, request: (f) => ({ path: { id: f.token } }) },

  { call: admin.listUsers, may: "admins" },
  {
    call: admin.createUser,
    may: "admins",
    request: () => ({ json: { username: crypto.randomUUID().slice(0, 20), password: "secret" } }),
  },
  { call: admin.getAccount, may: "admins", request: ofAccount },
  { call: admin.updateUser, may: "admins", request: (f) => ({ ...ofAccount(f), json: { name: "Another" } }) },
  { call: admin.deleteUser, may: "admins", request: ofAccount },
  { call: admin.listOrphans, may: "admins" },
  { call: admin.giveDataset, may: "admins", request: (f) => ({ ...ofDataset(f), json: { username: "member" } }) },

  { call: dataset.listDatasets, may: "users" },
  { call: dataset.createDataset, may: "users", request: () => ({ json: { name: name() } }) },
  { call: dataset.getOneDataset, may: "members", request: ofDataset },
  { call: dataset.getDatasets, may: "users" },
  { call: figures.getDatasetFigures, may: "users" },
  { call: dataset.getDataset, may: "members", request: ofDataset },
  {
    call: outlines.getOutlines,
    may: "members",
    request: (f) => ({ ...ofDataset(f), query: `?ids=${f.image}` }),
    inTrash: { image: "as live" },
  },
  { call: dataset.updateDataset, may: "annotators", request: (f) => ({ ...ofDataset(f), json: { categories: [] } }) },
  { call: dataset.shareDataset, may: "maintainers", request: (f) => ({ ...ofDataset(f), json: { add: [] } }) },
  { call: dataset.leaveDataset, may: "members", request: ofDataset },
  { call: dataset.findPossibleMembers, may: "maintainers", request: (f) => ({ ...ofDataset(f), query: "?begin=a" }) },
  { call: dataset.listMembers, may: "members", request: ofDataset },
  { call: dataset.getStatistics, may: "members", request: ofDataset },
  {
    call: bulk.deleteImages,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image] } }),
    inTrash: { image: "as live" },
  },
  {
    call: bulk.restoreImages,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { undo: new Date().toISOString() } }),
  },
  {
    call: bulk.takeBackImages,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { undo: crypto.randomUUID() } }),
  },
  { call: webhooks.listWebhooks, may: "maintainers", request: ofDataset },
  {
    call: webhooks.createWebhook,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { url: "https://example.org/hook", events: ["image.done"] } }),
  },
  { call: webhooks.updateWebhook, may: "maintainers", request: (f) => ({ ...ofWebhook(f), json: { active: false } }) },
  { call: webhooks.deleteWebhook, may: "maintainers", request: ofWebhook },
  { call: webhooks.pingWebhook, may: "maintainers", request: ofWebhook },
  { call: webhooks.listDeliveries, may: "maintainers", request: ofWebhook },
  {
    call: webhooks.repeatDelivery,
    may: "maintainers",
    request: (f) => ({ path: { id: f.dataset, webhookId: f.webhook, deliveryId: f.delivery } }),
  },
  {
    call: boxes.countBoxes,
    may: "members",
    request: (f) => ({ ...ofDataset(f), json: { filter: {} } }),
  },
  {
    call: boxes.outlineBoxes,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { filter: {} } }),
  },
  {
    call: boxes.restoreBoxes,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { undo: crypto.randomUUID() } }),
  },
  { call: consensus.getConsensus, may: "maintainers", request: ofDataset },
  { call: consensus.listConsensusImages, may: "maintainers", request: ofDataset },
  {
    call: consensus.giveImages,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image], users: ["viewer", "member"] } }),
    inTrash: { image: 400 },
  },
  {
    call: consensus.takeBackCopies,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image] } }),
    inTrash: { image: "as live" },
  },
  {
    call: consensus.markTruth,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image], is_truth: true } }),
    inTrash: { image: "as live" },
  },
  { call: consensus.getConsensusImage, may: "maintainers", request: ofImage },
  {
    call: consensus.mergeCopies,
    may: "maintainers",
    request: (f) => ({ ...ofImage(f), json: { objects: [], replace: true, revisions: [] } }),
  },
  { call: consensus.undoMerge, may: "maintainers", request: ofImage },
  { call: quality.startQualityCheck, may: "annotators", request: ofDataset },
  { call: quality.getQuality, may: "members", request: ofDataset },
  {
    call: quality.listFindings,
    may: "members",
    request: (f) => ({ ...ofDataset(f), query: "?kind=duplicate" }),
  },
  {
    call: quality.ignoreFindings,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { kind: "duplicate", ids: [1] } }),
  },
  {
    call: quality.fixFindings,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { kind: "duplicate", ids: [1] } }),
  },
  {
    call: quality.undoFixes,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { undo: crypto.randomUUID() } }),
  },
  {
    call: bulk.moveImages,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image], folder: "" } }),
    inTrash: { image: "as live" },
  },
  {
    call: bulk.labelImages,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image] } }),
    inTrash: { image: "as live" },
  },
  {
    call: bulk.assignImages,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image], users: [] } }),
    inTrash: { image: "as live" },
  },
  { call: work.getWork, may: "users" },
  { call: queue.nextImage, may: "annotators", request: (f) => ({ ...ofDataset(f), json: {} }) },
  { call: queue.listLeases, may: "maintainers", request: ofDataset },
  { call: queue.getComparedImages, may: "maintainers", request: ofDataset },
  { call: queue.compareImages, may: "maintainers", request: ofDataset },
  {
    call: queue.releaseImage,
    may: "annotators",
    request: (f) => ({ path: { id: f.dataset, imageId: f.image } }),
    inTrash: { image: "as live" },
  },
  { call: bulk.getSelection, may: "members", request: ofDataset },
  {
    call: bulk.markImages,
    may: "annotators",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image], done: true } }),
    inTrash: { image: "as live" },
  },
  { call: dataset.resetMetadata, may: "owners", request: ofDataset },
  { call: dataset.resetMetadataByGet, may: "owners", request: ofDataset },
  { call: dataset.deleteDataset, may: "owners", request: ofDataset },
  { call: dataset.scanDataset, may: "annotators", request: ofDataset },
  {
    call: dataset.generateDataset,
    may: "maintainers",
    request: (f) => ({ ...ofDataset(f), json: { keywords: "cat" } }),
  },
  { call: dataset.uploadToDataset, may: "annotators", request: (f) => ({ ...ofDataset(f), ...imageFile("files") }) },
  { call: dataset.importCoco, may: "annotators", request: (f) => ({ ...ofDataset(f), ...imageFile("coco") }) },
  { call: dataset.importCocoAsExport, may: "annotators", request: (f) => ({ ...ofDataset(f), ...imageFile("coco") }) },
  {
    call: dataset.importPreviewed,
    may: "owner",
    request: (f) => ({ path: { id: f.dataset, dryRunId: f.dryRun } }),
  },
  {
    // The import belongs to the owner, and the annotator who imported may undo it as well.
    call: dataset.undoImport,
    may: "maintainers",
    request: (f) => ({ path: { id: f.dataset, importId: f.import } }),
  },
  { call: dataset.listImports, may: "members", request: ofDataset },
  { call: exports.exportDataset, may: "maintainers", request: ofDataset },
  { call: exports.getDatasetCoco, may: "maintainers", request: ofDataset },
  { call: exports.listExports, may: "maintainers", request: ofDataset },
  { call: exports.getExport, may: "maintainers", request: ofExport },
  { call: exports.downloadExport, may: "maintainers", request: ofExport },
  {
    call: exports.downloadDatasetExport,
    may: "maintainers",
    request: (f) => ({ path: { id: f.dataset, exportId: f.export } }),
  },
  { call: exports.deleteExport, may: "maintainers", request: ofExport },
  { call: versions.createVersion, may: "maintainers", request: (f) => ({ ...ofDataset(f), json: { name: "v1" } }) },
  { call: versions.listVersions, may: "maintainers", request: ofDataset },
  { call: versions.downloadVersion, may: "maintainers", request: ofVersion },
  { call: versions.getManifest, may: "maintainers", request: ofVersion },
  {
    call: versions.compareVersions,
    may: "maintainers",
    request: (f) => ({ path: { id: f.version, otherId: f.version } }),
  },
  { call: versions.deleteVersion, may: "owners", request: ofVersion },

  { call: image.listImages, may: "users" },
  {
    call: image.uploadImage,
    may: "annotators",
    request: (f) => imageFile("image", { dataset_id: String(f.dataset) }),
  },
  { call: image.getImage, may: "members", request: ofImage },
  { call: image.getImageCoco, may: "maintainers", request: ofImage },
  { call: image.deleteImage, may: "maintainers", request: ofImage },
  {
    // Allowed, with 400 because both images are the same: tests/server/routes/copyAnnotations.test.ts tests two images.
    call: image.copyAnnotations,
    may: "annotators",
    request: (f) => ({ path: { fromId: f.image, toId: f.image }, json: {} }),
  },

  { call: category.listCategories, may: "users" },
  { call: category.getCategories, may: "users" },
  { call: category.getCategory, may: "members", request: ofCategory },
  { call: category.reserveCategoryIds, may: "users", request: () => ({ json: { count: 1 } }) },
  { call: category.createCategory, may: "users", request: () => ({ json: { name: name() } }) },
  {
    call: category.updateCategory,
    may: "creators",
    request: (f) => ({ ...ofCategory(f), json: { color: "#000000" } }),
  },
  { call: category.deleteCategory, may: "creators", request: ofCategory },

  { call: annotation.listAnnotations, may: "users" },
  {
    call: annotation.createAnnotation,
    may: "annotators",
    request: (f) => ({ json: { image_id: f.image, category_id: f.category } }),
  },
  { call: annotation.getAnnotation, may: "members", request: ofAnnotation, inTrash: { annotation: "as live" } },
  {
    call: annotation.updateAnnotation,
    may: "annotators",
    request: (f) => ({ ...ofAnnotation(f), json: { isbbox: true } }),
    inTrash: { annotation: 409 },
  },
  { call: annotation.deleteAnnotation, may: "annotators", request: ofAnnotation, inTrash: { annotation: "as live" } },

  { call: annotator.getAnnotatorData, may: "members", request: ofImage },
  { call: annotator.getPlace, may: "members", request: ofImage },
  {
    call: annotator.saveAnnotatorData,
    may: "annotators",
    request: (f) => ({ json: { image: { id: f.image }, categories: [], dataset: { id: f.dataset } } }),
  },
  // Each edit is judged separately: tests/server/features/edits.
  {
    call: annotator.sendEdits,
    may: "users",
    request: () => ({ json: { client: crypto.randomUUID(), edits: [] } }),
  },
  { call: annotator.getEdits, may: "members", request: ofImage },
  { call: comments.listImageComments, may: "members", request: ofImage },
  { call: comments.listThreads, may: "users" },
  { call: comments.countUnreadComments, may: "users" },
  {
    call: comments.markCommentsRead,
    may: "members",
    request: (f) => ({ json: { thread: f.comment, until: "2026-01-01T00:00:00Z" } }),
  },
  { call: history.getHistory, may: "members", request: ofImage },
  { call: history.getMoment, may: "members", request: (f) => ({ ...ofImage(f), query: "?revision=1" }) },
  {
    call: history.getVersions,
    may: "members",
    request: (f) => ({ path: { id: f.image, uuid: crypto.randomUUID() } }),
  },
  { call: offline.getManifest, may: "members", request: ofDataset },
  {
    call: offline.getScenes,
    may: "members",
    request: (f) => ({ ...ofDataset(f), json: { ids: [f.image] } }),
    inTrash: { image: "as live" },
  },

  {
    call: model.segmentWithDextr,
    may: "annotators",
    request: (f) => ({ path: { imageId: f.image }, json: { points: extremes } }),
  },
  { call: model.getDextrModel, may: "users", request: () => ({ path: { sha256: network() } }) },

  { call: tasks.listTasks, may: "users" },
  { call: tasks.getTaskLogs, may: "taskManagers", request: ofTask, inTrash: { dataset: "as live" } },
  { call: tasks.cancelTask, may: "taskManagers", request: ofTask, inTrash: { dataset: "as live" } },
  { call: tasks.deleteTask, may: "taskManagers", request: ofTask, inTrash: { dataset: "as live" } },

  { call: undo.listUndo, may: "users" },
  // Each kind of thing, deleted and not: tests/server/routes/undo.test.ts.
  {
    call: undo.rollBack,
    may: "maintainers",
    request: (f) => ({ query: `?id=${f.image}&instance=image` }),
    inTrash: { image: "as live" },
  },
  {
    call: undo.deleteForGood,
    may: "owners",
    request: (f) => ({ query: `?id=${f.image}&instance=image` }),
    inTrash: { image: "as live" },
  },
];
