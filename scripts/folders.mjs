// Checks cycles and sizes of folders. Each folder, without its sub-folders, is one node. dependency-cruiser counts
// sub-folders as part of a folder, so it does not find a folder and its sub-folder that import each other.

import { posix } from "node:path";

/** Folders without a limit: migrations grow by one file with each change of the database. */
const UNLIMITED = ["server/db/migrations"];

/** Returns the groups of folders that import each other, directly or indirectly, sorted by name. */
export function folderCycles(files) {
  const edges = new Map();
  for (const { file, imports } of files) {
    const folder = posix.dirname(file);
    const known = edges.get(folder) ?? new Set();
    edges.set(folder, known);
    for (const target of imports) if (posix.dirname(target) !== folder) known.add(posix.dirname(target));
  }
  const reached = new Map([...edges.keys()].map((folder) => [folder, reachedFrom(folder, edges)]));
  const groups = new Map();
  for (const [folder, others] of reached) {
    const group = [...others].filter((other) => reached.get(other)?.has(folder)).sort();
    if (group.length > 1) groups.set(group.join(" "), group);
  }
  return [...groups.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the folders that `folder` imports directly or indirectly, including itself if there is a cycle. */
function reachedFrom(folder, edges) {
  const reached = new Set();
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const target of edges.get(next) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        open.push(target);
      }
  return reached;
}

/** Returns the folders with more than `most` files directly in them. */
export function crowdedFolders(files, most = 15) {
  const counts = new Map();
  for (const file of files) {
    const folder = posix.dirname(file);
    if (!UNLIMITED.includes(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > most).map(([folder, count]) => ({ folder, count }));
}
