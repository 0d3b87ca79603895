import { expect, it } from "vitest";
import { beforeLogout, finishBeforeLogout, logoutWarnings, wipeLocalData } from "../../../web/io/leaving";

it("asks everybody who keeps data what would be lost, and wipes all of it", async () => {
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

it("waits for what is under way before it says what would be lost", async () => {
  let kept = 0;
  finishBeforeLogout(async () => {
    kept = 1;
  });
  const off = beforeLogout({ warning: async () => `${kept} kept`, wipe: async () => undefined });
  expect(await logoutWarnings()).toEqual(["1 kept"]);
  off();
});

it("wipes the rest when one fails, and says so", async () => {
  const wiped: string[] = [];
  const off = [
    beforeLogout({ warning: async () => null, wipe: () => Promise.reject(new Error("blocked")) }),
    beforeLogout({ warning: async () => null, wipe: async () => void wiped.push("images") }),
  ];
  await expect(wipeLocalData()).rejects.toThrow("blocked");
  expect(wiped).toEqual(["images"]);
  for (const unregister of off) unregister();
});
