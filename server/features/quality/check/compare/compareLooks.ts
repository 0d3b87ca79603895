import type { Finding } from "../../../../../shared/quality/finding";
import type { LookedAt } from "../../../../../shared/quality/labels/lookedAt";
import { findUnlikelyCategories } from "../../../../../shared/quality/labels/unlikelyCategories";
import { findUnlikelyOutlines } from "../../../../../shared/quality/labels/unlikelyOutlines";
import type { StoredLook } from "../../look/lookRows";
import type { Comparison } from "./comparison";

/** Gathers what DEXTR saw of a dataset's annotations, and compares it. */
export class LookComparison implements Comparison<StoredLook> {
  private readonly looks: LookedAt[] = [];

  add(looks: readonly StoredLook[]): void {
    for (const look of looks) this.looks.push(lookOf(look));
  }

  find(): Finding[] {
    return [findUnlikelyCategories(this.looks), findUnlikelyOutlines(this.looks)].flat();
  }
}

function lookOf({ features, width, height, ...look }: StoredLook): LookedAt {
  const bytes = features === null ? undefined : Buffer.from(features, "base64");
  const frame = { width, height };
  return { ...look, frame, features: bytes && new Float32Array(Uint8Array.from(bytes).buffer) };
}
