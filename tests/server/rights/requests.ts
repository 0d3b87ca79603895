import type { Call } from "../../../shared/api/protocol/call";
import type { Fixture } from "./fixture";
import { matrix } from "./matrix";

/** Returns the valid request for the call. */
export const validRequest = (call: Call, fixture: Fixture) =>
  matrix.find((row) => row.call === call)?.request?.(fixture) ?? {};

/** Returns the path of the call, relative to /api/. */
export const pathOf = (call: Call, path: Record<string, unknown> = {}): string =>
  call.path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => String(path[name]));
