import { expect, it } from "vitest";
import { beforeLogout, finishBeforeLogout, logoutWarnings, wipeLocalData } from "../../../web/io/logout";

it("collects what each store would lose, and clears all of them", async () => {
  const wiped: string[] = [];
  const off = [
    beforeLogout({ warning: async () => "3 edits are not saved.", wipe: async () => void wiped.push("edits") }),
    beforeLogout({ warning: async () => null, wipe: async () => void wiped.push("images") }),
  ];
  expect(await logoutWarnings()).toEqual(["3 edits are not saved."]);
  await wipeLocalData();
  expect(wiped).toEqual(["edits", "images"]);
  for (const unregister of off) unregister();
  expect(await logoutWarnings()).toEqual([]);
});

it("waits for work in flight before reporting what would be lost", async () => {
  let kept = 0;
  finishBeforeLogout(async () => {
    kept = 1;
  });
  const off = beforeLogout({ warning: async () => `${kept} kept`, wipe: async () => undefined });
  expect(await logoutWarnings()).toEqual(["1 kept"]);
  off();
});

it("clears the rest when one fails, and reports it", async () => {
  const wiped: string[] = [];
  const off = [
    beforeLogout({ warning: async () => null, wipe: () => Promise.reject(new Error("blocked")) }),
    beforeLogout({ warning: async () => null, wipe: async () => void wiped.push("images") }),
  ];
  await expect(wipeLocalData()).rejects.toThrow("blocked");
  expect(wiped).toEqual(["images"]);
  for (const unregister of off) unregister();
});
