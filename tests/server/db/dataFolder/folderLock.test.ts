import { describe, expect, it } from "vitest";
import { type Applicant, lockFolder } from "../../../../server/db/dataFolder/folderLock";
import { StoppedError } from "../../../../server/errors";
import { temporaryFolder } from "../../../support/folders";

const BACKUP: Applicant = { name: "npm run backup", endsSoon: true };
const server = (lines: string[], signal?: AbortSignal): Applicant => ({
  name: "a Limn server",
  endsSoon: false,
  onWait: (line) => lines.push(line),
  signal,
});

describe("a server whose data folder is in use", () => {
  it("waits for a backup, says so once, and goes on when it has ended", async () => {
    const folder = temporaryFolder();
    const backup = await lockFolder(folder, BACKUP);
    const lines: string[] = [];
    const starting = lockFolder(folder, server(lines));
    await expect.poll(() => lines).toHaveLength(1);
    backup.release();
    (await starting).release();
    expect(lines).toEqual([
      `Waiting for npm run backup (process ${process.pid}), which uses the data folder ${folder}.`,
    ]);
  });

  it("refuses while another server runs, and waits for one that stops", async () => {
    const folder = temporaryFolder();
    const first = await lockFolder(folder, server([]));
    const lines: string[] = [];
    await expect(lockFolder(folder, server(lines))).rejects.toThrow(
      `The data folder ${folder} is in use by another Limn process. Stop it first.`,
    );
    expect(lines).toEqual([]);
    first.announceEnd();
    const starting = lockFolder(folder, server(lines));
    await expect.poll(() => lines).toHaveLength(1);
    first.release();
    (await starting).release();
  });

  it("gives up when it is stopped while it waits", async () => {
    const folder = temporaryFolder();
    const backup = await lockFolder(folder, BACKUP);
    const stop = new AbortController();
    const lines: string[] = [];
    const starting = lockFolder(folder, server(lines, stop.signal));
    await expect.poll(() => lines).toHaveLength(1);
    stop.abort();
    await expect(starting).rejects.toThrow(StoppedError);
    backup.release();
  });

  it("a second command is told which one to wait for", async () => {
    const folder = temporaryFolder();
    const backup = await lockFolder(folder, BACKUP);
    await expect(lockFolder(folder, { name: "npm run doctor", endsSoon: true })).rejects.toThrow(
      `is in use by npm run backup (process ${process.pid}). Wait until it has ended.`,
    );
    backup.release();
  });
});
