import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFaultyDisk } from "../../support/faultyDisk";
import { temporaryFolder } from "../../support/folders";
import { isNotSaved, isSaved, missingNames, startLedger } from "../../support/ledger";
import { type LiveServer, startLiveServer } from "../../support/liveServer";
import { TestClient } from "../../support/testClient";

const namesOf = async (client: TestClient): Promise<string[]> =>
  (await client.get("category/")).body.map((category: { name: string }) => category.name);

describe("the embedded database", () => {
  const disk = makeFaultyDisk();
  let server: LiveServer | undefined;
  afterAll(() => server?.remove());

  it.skipIf(!disk)(
    "acknowledges nothing that the disk refused, continues without a restart, and keeps everything that it acknowledged",
    async () => {
      if (!disk) return;
      server = await startLiveServer(disk.env);
      const { pid, output } = server;
      const failedStarts = () => output().split("the embedded database failed to start").length - 1;
      const client = new TestClient(server.url);
      await client.post("user/register", { username: "ann", password: "secret" });
      const ledger = startLedger([client, client], "fault");
      await ledger.more(10, isSaved);
      for (const error of ["EIO", "EROFS", "ENOSPC"] as const) {
        disk.fail(error, "write", "/db/");
        await ledger.more(1, isNotSaved);
        const from = ledger.statuses.length;
        await ledger.more(5, isNotSaved);
        expect(ledger.statuses.slice(from).filter(isSaved), error).toEqual([]);
        // More failed starts than a damaged database gets.
        if (error === "EIO") await expect.poll(failedStarts).toBeGreaterThan(5);
        disk.heal();
        await ledger.more(10, isSaved);
      }
      await ledger.stop();
      expect([...new Set(ledger.statuses)].sort()).toEqual([200, 503]);
      expect(server.pid).toBe(pid);
      await server.kill();
      await server.start();
      expect(missingNames(ledger, await namesOf(client))).toEqual([]);
    },
  );
});

describe("a small disk that is full", () => {
  const folder = temporaryFolder();
  let isMounted = false;
  beforeAll(() => {
    isMounted = mountDisk(folder);
  });
  afterAll(() => {
    if (isMounted) execFileSync("umount", ["-l", folder]);
  });

  it("loses nothing acknowledged, and freeing space is enough to continue", async ({ skip }) => {
    if (!isMounted) skip();
    const data = join(folder, "data");
    mkdirSync(data);
    const server = await startLiveServer({ DATA_DIR: data });
    try {
      const client = new TestClient(server.url);
      await client.post("user/register", { username: "ann", password: "secret" });
      const ledger = startLedger([client], "full");
      await ledger.more(10, isSaved);
      const filler = join(folder, "filler");
      fill(filler);
      // Larger rows, so that the tables grow.
      const large = async (n: number) =>
        (await client.post("category/", { name: `large ${n}`, metadata: { text: randomText(40_000) } })).status;
      const statuses: number[] = [];
      while (statuses.at(-1) !== 503) statuses.push(await large(statuses.length));
      expect(statuses.slice(0, -1).filter((status) => status !== 200)).toEqual([]);
      rmSync(filler);
      await ledger.more(20, isSaved);
      await ledger.stop();
      expect([...new Set(ledger.statuses)].filter((status) => ![200, 503].includes(status))).toEqual([]);
      await server.kill();
      await server.start();
      const stored = await namesOf(client);
      expect(missingNames(ledger, stored)).toEqual([]);
      const acknowledged = statuses.flatMap((status, n) => (status === 200 ? [`large ${n}`] : []));
      expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([]);
    } finally {
      await server.remove();
    }
  });
});

/** Mounts a disk of 120 MB. Returns false if this user may not. */
function mountDisk(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=120m", "tmpfs", folder], { stdio: "pipe" });
    return true;
  } catch {
    console.warn("SKIPPED: a full disk needs the right to mount one.");
    return false;
  }
}

function fill(path: string): void {
  const { bavail, bsize } = statfsSync(join(path, ".."));
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - 300_000)));
}

/** Returns text that does not compress. */
function randomText(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join("");
}
