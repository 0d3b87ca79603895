import type { Finding } from "../../../../../shared/quality/finding";
import { findSimilar } from "../../../../../shared/quality/images/similarFindings";
import { findUnlabelled } from "../../../../../shared/quality/images/unlabelled";
import type { Comparison } from "./comparison";
import type { FileLine } from "./rowsCompared";

/** Gathers a dataset's images in the order of their ids, and compares them with each other. */
export class FileComparison implements Comparison<FileLine> {
  private readonly files: FileLine[] = [];

  add(lines: readonly FileLine[]): void {
    for (const line of lines) this.files.push(line);
  }

  find(): Finding[] {
    const listed = this.files.toSorted((a, b) => compare(a.folder, b.folder) || compare(a.key, b.key) || a.id - b.id);
    return [findUnlabelled(listed), findSimilar(this.files)].flat();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
