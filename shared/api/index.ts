import * as admin from "./accounts/admin";
import * as token from "./accounts/token";
import * as user from "./accounts/user";
import * as annotation from "./annotation";
import * as annotator from "./annotator";
import * as category from "./category";
import * as comments from "./comments";
import * as boxes from "./datasets/boxes";
import * as bulk from "./datasets/bulk";
import * as consensus from "./datasets/consensus";
import * as dataset from "./datasets/dataset";
import * as figures from "./datasets/datasetFigures";
import * as datasetImages from "./datasets/datasetImages";
import * as members from "./datasets/datasetMembers";
import * as imports from "./datasets/imports";
import * as outlines from "./datasets/outlines";
import * as quality from "./datasets/quality";
import * as queue from "./datasets/queue";
import * as versions from "./datasets/versions";
import * as webhooks from "./datasets/webhooks";
import * as exports from "./export";
import * as history from "./history";
import * as image from "./image";
import * as info from "./info";
import * as model from "./model";
import * as offline from "./offline";
import type { Call } from "./protocol/call";
import * as tasks from "./tasks";
import * as undo from "./undo";
import * as work from "./work";

/** Every call by group, in the order of the API page. */
export const api = {
  info,
  user,
  token,
  admin,
  dataset: { ...dataset, ...datasetImages, ...members, ...imports },
  figures,
  bulk,
  queue,
  boxes,
  exports,
  versions,
  image,
  category,
  annotation,
  annotator,
  comments,
  work,
  history,
  offline,
  outlines,
  quality,
  consensus,
  webhooks,
  model,
  tasks,
  undo,
} as const;

/** All declared calls, without the schemas and helpers that the modules also export. */
export const calls: Call[] = Object.values(api).flatMap((group) => Object.values(group).filter(isCall));

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value;
}
