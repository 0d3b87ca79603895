import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BidiPage } from "./bidi";
import { endProcess } from "./endProcess";

const PLACES = [
  process.env.FIREFOX_BIN,
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/** Returns the path of a Firefox on this machine. */
export const findFirefox = (): string | undefined => PLACES.find((path) => path && existsSync(path));

/** Settings of a browser that asks nothing and saves files into the folder `downloads`. */
const settings = (downloads: string) => ({
  "browser.download.dir": downloads,
  "browser.download.folderList": 2,
  "browser.download.always_ask_before_handling_new_types": false,
  "browser.download.alwaysOpenPanel": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
});

/** Starts Firefox without a window. */
export async function startFirefox(program: string, folder: string, url: string) {
  const [profile, downloads] = [join(folder, "profile"), join(folder, "downloads")];
  for (const path of [profile, downloads]) mkdirSync(path, { recursive: true });
  const lines = Object.entries(settings(downloads)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const child = spawn(program, ["--headless", "--remote-debugging-port=0", "--no-remote", "--profile", profile], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: folder, MOZ_HEADLESS: "1" },
  });
  try {
    const page = await BidiPage.open(await addressOf(child));
    const stop = async () => {
      page.close();
      await endProcess(child);
    };
    return { page, url, downloads, stop };
  } catch (error) {
    await endProcess(child);
    throw error;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stderr?.on("data", (chunk) => {
      printed += String(chunk);
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(printed) ?? [];
      if (address) resolve(address);
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`Firefox has ended: ${printed}`)));
  });
}
