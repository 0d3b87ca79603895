import builtIn from "../../../model/dextr.json";
import { getInfo } from "../../../shared/api/info";
import type { OutputOf } from "../../../shared/api/protocol/call";
import type { DextrSetup } from "../../../workers/dextrWorker";
import { request } from "../http/request";
import { baseUrl } from "../http/url";
import { recall, remember } from "../storage/localStore";

const KEY = "dextr.model";
/** A server that does not answer is not waited for: what it said last holds. */
const LONGEST_MS = 2000;

type Named = OutputOf<typeof getInfo>["dextr"];

/**
 * The network that this installation uses, so that browser and server answer the same: the server may have another one
 * than this build. `model` null: the one of this build.
 */
export async function dextrModel(): Promise<Pick<DextrSetup, "model" | "size">> {
  const info = await request(getInfo, {}, { signal: AbortSignal.timeout(LONGEST_MS) }).catch(() => null);
  if (info) remember(KEY, info.dextr);
  const named = info ? info.dextr : recall(KEY, isNamed);
  if (!named) return { model: null, size: builtIn.size };
  const { sha256, bytes, path, size } = named;
  const address = new URL(`api/${path.replace(/^\//, "")}`, baseUrl()).href;
  return { model: { address, bytes, sha256 }, size: size ?? builtIn.size };
}

function isNamed(value: unknown): value is Named {
  if (value === null) return true;
  const { sha256, bytes, path, size } = value as Record<string, unknown>;
  return (
    typeof sha256 === "string" &&
    typeof bytes === "number" &&
    typeof path === "string" &&
    (size === null || typeof size === "number")
  );
}
