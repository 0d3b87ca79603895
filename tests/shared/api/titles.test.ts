import { expect, test } from "vitest";
import { api } from "../../../shared/api";

/** Titles of toasts, from the specification's catalogue of errors. */
const TITLES = [
  [api.admin.createUser, "Create User"],
  [api.admin.deleteUser, "Create User"],
  [api.dataset.createDataset, "Creating Dataset"],
  [api.category.createCategory, "Creating Category"],
  [api.category.updateCategory, "Updating Category"],
  [api.dataset.getDataset, "Loading Dataset"],
  [api.dataset.scanDataset, "Scanning Dataset"],
  [api.exports.exportDataset, "Exporting COCO"],
  [api.dataset.importCoco, "Importing COCO"],
  [api.image.copyAnnotations, "Copying Annotations"],
  [api.user.changePassword, "Changing Password"],
  [api.user.register, "User Registration"],
  [api.user.login, "User Login"],
  [api.annotator.getAnnotatorData, "Could not find requested image"],
] as const;

test("calls fail under these titles", () => {
  expect(TITLES.map(([{ path, title }]) => [path, title])).toEqual(TITLES.map(([{ path }, title]) => [path, title]));
});
