import { expect, it, vi } from "vitest";
import { beforeLogout, finishBeforeLogout, logoutWarnings, wipeLocalData } from "../../../web/io/logout";

const ADA = "ada";

it("asks about and clears only the data of the user who logs out", async () => {
  const wiped: string[] = [];
  const register = (username: string) =>
    beforeLogout({
      username,
      warning: async () => `edits of ${username}`,
      wipe: async () => void wiped.push(username),
    });
  const off = [ADA, "bob"].map(register);
  expect(await logoutWarnings(ADA)).toEqual(["edits of ada"]);
  await wipeLocalData(ADA);
  expect(wiped).toEqual([ADA]);
  for (const unregister of off) unregister();
});

it("collects what each store would lose, and clears all of them", async () => {
  const wiped: string[] = [];
  const off = [
    beforeLogout({
      username: ADA,
      warning: async () => "3 edits are not saved.",
      wipe: async () => void wiped.push("edits"),
    }),
    beforeLogout({ username: ADA, warning: async () => null, wipe: async () => void wiped.push("images") }),
  ];
  expect(await logoutWarnings(ADA)).toEqual(["3 edits are not saved."]);
  await wipeLocalData(ADA);
  expect(wiped).toEqual(["edits", "images"]);
  for (const unregister of off) unregister();
  expect(await logoutWarnings(ADA)).toEqual([]);
});

it("waits for work in flight before reporting what would be lost", async () => {
  let kept = 0;
  const stop = finishBeforeLogout(async () => {
    kept = 1;
  });
  const off = beforeLogout({ username: ADA, warning: async () => `${kept} kept`, wipe: async () => undefined });
  expect(await logoutWarnings(ADA)).toEqual(["1 kept"]);
  stop();
  off();
});

it("clears the rest when one fails, and reports it", async () => {
  const wiped: string[] = [];
  const off = [
    beforeLogout({ username: ADA, warning: async () => null, wipe: () => Promise.reject(new Error("blocked")) }),
    beforeLogout({ username: ADA, warning: async () => null, wipe: async () => void wiped.push("images") }),
  ];
  await expect(wipeLocalData(ADA)).rejects.toThrow("blocked");
  expect(wiped).toEqual(["images"]);
  for (const unregister of off) unregister();
});

it("ends although a computation and a deletion hang, and reports both", async () => {
  vi.useFakeTimers();
  const hang = new Promise<void>(() => undefined);
  const stop = finishBeforeLogout(() => hang);
  const off = beforeLogout({ username: ADA, warning: async () => null, wipe: () => hang });
  const warnings = logoutWarnings(ADA);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await warnings).toEqual(["Drawings that are still being computed would be lost."]);
  const wiped = expect(wipeLocalData(ADA)).rejects.toThrow("This browser's storage does not respond.");
  await vi.advanceTimersByTimeAsync(10_000);
  await wiped;
  stop();
  off();
  vi.useRealTimers();
});
