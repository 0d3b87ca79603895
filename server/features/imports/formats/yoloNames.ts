import { z } from "zod";
import type { KeypointShape } from "../../../../shared/formats/yoloLine";
import { decodeText } from "./decodeText";
import { readText } from "./readText";
import type { SplitOptions } from "./splitItem";
import { byTrust, isInLabels, isNames, isYaml } from "./zipNames";

/** Classes and keypoints of a zip of YOLO labels. */
export interface YoloNames {
  /** Class names by number. */
  names: Map<number, string>;
  keypoints: KeypointShape | undefined;
  /** Keypoint names by class number, if the zip has them. */
  keypointNames: Map<number, string[]>;
  /** True if the label files are in a folder named `labels`. */
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

/** Reads the class names of a zip. Throws an Error whose message is shown to the user if no file names the classes. */
export async function yoloNames({ transfers, upload, signal }: SplitOptions): Promise<YoloNames> {
  const found = new Map<string, Buffer>();
  let hasFolder = false;
  for await (const { path, read } of transfers.zipTexts(upload)) {
    hasFolder ||= isInLabels(path) && path.endsWith(".txt");
    // The first ten are enough, since the right one is near the top of the zip.
    if (isNames(path) && found.size < 10) found.set(path, await read(MAX_BYTES));
  }
  for (const path of [...found.keys()].sort(byTrust)) {
    const text = decodeText(found.get(path) ?? Buffer.alloc(0));
    const classes = isYaml(path) ? ofYaml(await readText("yaml", text, signal)) : ofLines(text);
    if (classes && classes.names.size > 0) return { ...classes, hasFolder };
  }
  throw new Error("No file in the zip names the classes. Add data.yaml with `names`, classes.txt or obj.names.");
}

type ClassNames = Omit<YoloNames, "hasFolder">;

/** Reads one name per line. Trailing blank lines are ignored. */
function ofLines(text: string): ClassNames {
  const names = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const used = text.trim() === "" ? [] : names;
  return { names: new Map(used.entries()), keypoints: undefined, keypointNames: new Map() };
}

function ofYaml(parsed: unknown): ClassNames | undefined {
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
