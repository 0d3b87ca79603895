import { api } from "../../shared/api";
import { LISTED_STAGES } from "../../shared/api/datasets/datasetImages";
import type { ImageSummary } from "../../shared/entities/image";
import { choiceOf } from "../base/choiceOf";
import type { Command } from "../base/command";
import { findDataset } from "../base/connect";
import { table } from "../base/output";

const PAGE = 1000;

export const listImages: Command = {
  name: "images list",
  usage: "DATASET",
  summary: "List the images of a dataset",
  words: [1, 1],
  options: {
    folder: { type: "string" },
    done: { type: "string" },
    annotated: { type: "string" },
    stage: { type: "string" },
  },
  optionHelp: {
    "folder FOLDER": "only images directly in this folder of the dataset",
    "done true|false": "only images with or without the mark",
    "annotated true|false": "only images with or without annotations",
    "stage A,B": `only images in these stages: ${LISTED_STAGES.join(", ")}`,
  },
  async run({ words: [wanted = ""], text, output, connect, signal }) {
    const filter = {
      folder: text("folder"),
      done: choiceOf("done", text("done"), FLAG),
      annotated: choiceOf("annotated", text("annotated"), FLAG),
      stage: text("stage"),
    };
    const client = await connect();
    const { id } = await findDataset(client, wanted);
    const images: ImageSummary[] = [];
    for (let page = 1; ; page++) {
      signal.throwIfAborted();
      const query = { ...filter, order: "path", page, limit: PAGE };
      const found = await client.request(api.dataset.getDataset, { params: { id }, query });
      images.push(...found.images);
      if (page >= found.pages) break;
    }
    const rows = images.map((image) => [
      image.id,
      image.path,
      `${image.width}x${image.height}`,
      image.num_annotations,
      image.stage === "open" ? "" : image.stage === "accepted" ? "done" : image.stage,
    ]);
    output.result(images, table(["ID", "PATH", "SIZE", "ANNOTATIONS", "DONE"], rows));
  },
};

const FLAG = ["true", "false"] as const;
