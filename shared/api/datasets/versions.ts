import { z } from "zod";
import { version, versionComparison, versionName, versionNote } from "../../entities/export";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { idInPath } from "../protocol/inputs";
import { success } from "../protocol/outputs";

/** Versions of a dataset: named moments, whose files never change. */

const title = "Dataset Versions";
const access = "user";
const params = z.object({ id: idInPath });

export const createVersion = declare({
  method: "POST",
  path: "/dataset/{id}/versions",
  title,
  access,
  summary: "Keep the dataset as it is now under a name, as a task",
  params,
  body: z.object({ name: versionName, note: versionNote.default("") }),
  output: taskStarted,
});

export const listVersions = declare({
  method: "GET",
  path: "/dataset/{id}/versions",
  title,
  access,
  summary: "List the versions of a dataset, newest first",
  params,
  output: z.array(version),
});

export const downloadVersion = declare({
  method: "GET",
  path: "/version/{id}/download",
  title,
  access,
  summary: "Download a version's COCO file; the bytes are always the same",
  params,
});

export const getManifest = declare({
  method: "GET",
  path: "/version/{id}/manifest",
  title,
  access,
  summary: "Get a version's manifest: its moment, its counts, and the hash of its file",
  params,
  output: z.object({ dataset: z.string(), version }),
});

export const compareVersions = declare({
  method: "GET",
  path: "/version/{id}/compare/{otherId}",
  title,
  access,
  summary: "Count what was added, removed and changed from a version to another one of the same dataset",
  params: z.object({ id: idInPath, otherId: idInPath }),
  output: versionComparison,
});

export const deleteVersion = declare({
  method: "DELETE",
  path: "/version/{id}",
  title,
  access,
  summary: "Delete a version and its file",
  params,
  output: success,
});
