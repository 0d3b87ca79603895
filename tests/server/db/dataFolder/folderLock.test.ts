import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { StoppedError } from "../../../../server/base/errors";
import { type Applicant, lockFolder } from "../../../../server/db/dataFolder/folderLock";
import { temporaryFolder } from "../../../support/folders";

const BACKUP: Applicant = { name: "npm run backup", endsSoon: true };
const server = (lines: string[], signal?: AbortSignal): Applicant => ({
  name: "a Limn server",
  endsSoon: false,
  onWait: (line) => lines.push(line),
  signal,
});

describe("a server whose data folder is in use", () => {
  it("waits for a backup, reports that once, and continues afterwards", async () => {
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

  it("refuses to start while another server runs, and waits for one that is stopping", async () => {
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

  it("gives up if it is stopped while waiting", async () => {
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

  it("tells a second command which process to wait for", async () => {
    const folder = temporaryFolder();
    const backup = await lockFolder(folder, BACKUP);
    await expect(lockFolder(folder, { name: "npm run doctor", endsSoon: true })).rejects.toThrow(
      `is in use by npm run backup (process ${process.pid}). Wait until it has ended.`,
    );
    backup.release();
  });
});

describe("the folder lock of a process that died", () => {
  const HOUR = 3_600_000;
  afterEach(() => void vi.useRealTimers());

  /** Creates a folder whose lock has no holder, with another process's claim to take it over made at `turnMadeAt`. */
  function makeAbandonedFolder(turnMadeAt: number) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".lock.sock"), "");
    const turn = join(folder, ".lock.sock.turn");
    mkdirSync(turn);
    utimesSync(turn, turnMadeAt / 1000, turnMadeAt / 1000);
    return { folder, turn };
  }

  it("the lock is taken over after a crash during a takeover, even if the clock was set back since", async () => {
    const { folder, turn } = makeAbandonedFolder(Date.now() + HOUR);
    (await lockFolder(folder, server([]))).release();
    expect(existsSync(turn)).toBe(false);
  });

  it("the lock is not taken over during another process's takeover, even if the clock was set forward since", async () => {
    const { folder, turn } = makeAbandonedFolder(Date.now() - HOUR);
    const starting = lockFolder(folder, server([]));
    await wait(1_000);
    expect(existsSync(turn)).toBe(true);
    rmSync(turn, { recursive: true });
    (await starting).release();
  });

  it.each([HOUR, -HOUR])("the lock is taken over in time although the clock moves by %d ms", async (jump) => {
    const { folder } = makeAbandonedFolder(Date.now());
    vi.useFakeTimers({ toFake: ["Date"] });
    const started = performance.now();
    const starting = lockFolder(folder, server([]));
    await wait(200);
    vi.setSystemTime(Date.now() + jump);
    (await starting).release();
    expect(performance.now() - started).toBeGreaterThan(4_000);
  });
});
