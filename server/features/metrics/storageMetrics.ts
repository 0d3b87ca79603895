import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { Env } from "../../base/env";
import { RecentValue } from "../../base/recentValue";

const TIMES = { limitMs: 2_000, freshMs: 5_000 };

type StorageSettings = Pick<Env, "DATA_DIR" | "DATASETS_DIR"> & Partial<Pick<Env, "STORAGE">>;

/**
 * Adds the size and free space of the disks of the folders. The folders' own sizes are not measured: that would read
 * every directory.
 */
export function addStorageMetrics(registry: Registry, env: StorageSettings): void {
  const used = { data: env.DATA_DIR, ...(!env.STORAGE && { datasets: env.DATASETS_DIR }) };
  const folders = Object.entries(used).map(([folder, path]) => {
    const read = async () => {
      const { bsize, blocks, bavail } = await statfs(path);
      return { size: blocks * bsize, free: bavail * bsize };
    };
    return { folder, disk: new RecentValue(read, TIMES) };
  });
  const add = (kind: "size" | "free", help: string) =>
    new Gauge({
      name: `limn_storage_${kind}_bytes`,
      help,
      labelNames: ["folder"],
      registers: [registry],
      async collect() {
        for (const { folder, disk } of folders) this.set({ folder }, (await disk.get())?.[kind] ?? Number.NaN);
      },
    });
  add("size", "Size of the disk that has the folder DATA_DIR (data) or DATASETS_DIR (datasets).");
  add("free", "Space on that disk that Limn may still use.");
}
