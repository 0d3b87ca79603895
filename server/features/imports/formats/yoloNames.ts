import { z } from "zod";
import type { KeypointShape } from "../../../../shared/formats/yoloLine";
import type { SplitOptions } from "./splitItem";
import { decodeText } from "./decodeText";
import { readText } from "./readText";
import { byTrust, isInLabels, isNames, isYaml } from "./zipNames";

/** Classes in a zip of YOLO labels. */
export interface YoloNames {
  /** By class number. */
  names: Map<number, string>;
  keypoints: KeypointShape | undefined;
  /** Names of the keypoints by class number, where they are said. */
  keypointNames: Map<number, string[]>;
  /** True if the labels are in a folder `labels`. */
  hasFolder: boolean;
}

const MAX_BYTES = 1_000_000;

const yaml = z.object({
  names: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  kpt_shape: z
    .tuple([z.int().min(1).max(1000), z.union([z.literal(2), z.literal(3)])])
    .optional()
    .catch(undefined),
  kpt_names: z
    .union([z.array(z.array(z.unknown())), z.record(z.string(), z.array(z.unknown()))])
    .optional()
    .catch(undefined),
});

/** Throws an Error for people where no file names the classes. */
export async function yoloNames({ transfers, upload, signal }: SplitOptions): Promise<YoloNames> {
  const found = new Map<string, Buffer>();
  let hasFolder = false;
  for await (const { path, read } of transfers.zipTexts(upload)) {
    hasFolder ||= isInLabels(path) && path.endsWith(".txt");
    // The ten first are enough: a file of names stands at the top.
    if (isNames(path) && found.size < 10) found.set(path, await read(MAX_BYTES));
  }
  for (const path of [...found.keys()].sort(byTrust)) {
    const text = decodeText(found.get(path) ?? Buffer.alloc(0));
    const said = isYaml(path) ? ofYaml(await readText("yaml", text, signal)) : ofLines(text);
    if (said && said.names.size > 0) return { ...said, hasFolder };
  }
  throw new Error("No file of the zip names the classes: data.yaml with `names`, classes.txt or obj.names.");
}

type Said = Omit<YoloNames, "hasFolder">;

/** One name a line; blank ones at the end are none. */
function ofLines(text: string): Said {
  const names = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const used = text.trim() === "" ? [] : names;
  return { names: new Map(used.entries()), keypoints: undefined, keypointNames: new Map() };
}

function ofYaml(parsed: unknown): Said | undefined {
  const { data } = yaml.safeParse(parsed);
  if (!data) return undefined;
  const { names, kpt_shape: keypoints, kpt_names = {} } = data;
  const numbered = Object.entries(names).filter(([key]) => /^\d+$/.test(key));
  const keypointNames = Object.entries(kpt_names).map(([key, list]) => [Number(key), list.map(String)] as const);
  return {
    names: new Map(numbered.map(([key, name]) => [Number(key), String(name)])),
    keypoints,
    keypointNames: new Map(keypointNames),
  };
}
