import builtIn from "../../../model/dextr.json";
import { getInfo } from "../../../shared/api/info";
import type { OutputOf } from "../../../shared/api/protocol/call";
import type { DextrSetup } from "../../../workers/dextrWorker";
import { request } from "../http/request";
import { baseUrl } from "../http/url";
import { recall, remember } from "../storage/localStore";

const KEY = "dextr.model";
/** Time limit for asking the server, in milliseconds. After that, its last known response is used. */
const TIMEOUT_MS = 2000;

type ModelInfo = OutputOf<typeof getInfo>["dextr"];

/**
 * Returns the DEXTR network that this installation uses, so that browser and server compute the same outlines: the
 * server may be set up with another network than the built-in one. `model` is null for the built-in network.
 */
export async function dextrModel(): Promise<Pick<DextrSetup, "model" | "size">> {
  const info = await request(getInfo, {}, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (info) remember(KEY, info.dextr);
  const known = info ? info.dextr : recall(KEY, isModelInfo);
  if (!known) return { model: null, size: builtIn.size };
  const { sha256, bytes, path, size } = known;
  const address = new URL(`api/${path.replace(/^\//, "")}`, baseUrl()).href;
  return { model: { address, bytes, sha256 }, size: size ?? builtIn.size };
}

function isModelInfo(value: unknown): value is ModelInfo {
  if (value === null) return true;
  const { sha256, bytes, path, size } = value as Record<string, unknown>;
  return (
    typeof sha256 === "string" &&
    typeof bytes === "number" &&
    typeof path === "string" &&
    (size === null || typeof size === "number")
  );
}
