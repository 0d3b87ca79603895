import { api } from "../../shared/api";
import type { Command } from "../base/command";
import { findDataset } from "../base/connect";
import { table } from "../base/output";

export const listDatasets: Command = {
  name: "datasets list",
  usage: "",
  summary: "List the datasets that you may see",
  words: [0, 0],
  async run({ output, connect }) {
    const all = await (await connect()).request(api.dataset.listDatasets);
    const rows = all.map(({ id, name, owner }) => [id, name, owner ?? ""]);
    output.result(all, table(["ID", "NAME", "OWNER"], rows));
  },
};

export const createDataset: Command = {
  name: "datasets create",
  usage: "NAME",
  summary: "Create a dataset",
  words: [1, 1],
  options: { categories: { type: "string" } },
  optionHelp: { "categories A,B": "names of its categories; those that do not exist are created" },
  async run({ words: [name = ""], text, output, connect }) {
    const categories = listOf(text("categories"));
    const made = await (await connect()).request(api.dataset.createDataset, { body: { name, categories } });
    output.result(made, `Dataset ${made.id}: ${made.name}`);
  },
};

export const showDataset: Command = {
  name: "datasets show",
  usage: "DATASET",
  summary: "Show a dataset, named by id or name: owner, members, categories, numbers of images and annotations",
  words: [1, 1],
  async run({ words: [wanted = ""], output, connect }) {
    const client = await connect();
    const { id } = await findDataset(client, wanted);
    const { dataset, categories, images } = await client.request(api.offline.getManifest, { params: { id } });
    const listed = categories.filter((each) => !each.deleted).map(({ name }) => name);
    const counts = {
      images: images.length,
      annotated: images.filter(({ annotated }) => annotated).length,
      done: images.filter(({ done }) => done).length,
      annotations: images.reduce((sum, each) => sum + each.num_annotations, 0),
    };
    const lines = [
      `${dataset.name} (${id})`,
      `owner       ${dataset.owner ?? "none"}`,
      `members     ${dataset.users.join(", ") || "none"}`,
      `categories  ${listed.join(", ") || "none"}`,
      `images      ${counts.images}, ${counts.annotated} annotated, ${counts.done} done`,
      `annotations ${counts.annotations}`,
    ];
    const names = categories.filter((each) => !each.deleted).map(({ id, name }) => ({ id, name }));
    output.result({ ...dataset, categories: names, counts }, lines.join("\n"));
  },
};

/** Returns the names in a comma-separated list. */
export const listOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
