import type { Command } from "../base/command";
import { createDataset, listDatasets, showDataset } from "./datasets";
import { exportDataset } from "./exportDataset";
import { listImages } from "./images";
import { importFile } from "./importFile";
import { login, logout, whoami } from "./login";
import { listTasks, waitTask } from "./tasks";
import { upload } from "./upload";

/** All commands, in the order of the help. */
export const commands: Command[] = [
  login,
  logout,
  whoami,
  listDatasets,
  createDataset,
  showDataset,
  upload,
  listImages,
  importFile,
  exportDataset,
  listTasks,
  waitTask,
];
