import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/freePort";
import { endProcess } from "./endProcess";
import { startRecorder } from "./recorder";
import { driverIsReady, WebDriverPage } from "./webDriver";

const DRIVER = process.env.WEBKIT_DRIVER_BIN ?? "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";

/** Returns the path of WebKitGTK's driver if this machine has it, and a screen for its browser. */
export const findWebKit = (): string | undefined =>
  existsSync(DRIVER) && (existsSync(SCREEN) || process.env.DISPLAY) ? DRIVER : undefined;

/** Starts WebKitGTK's MiniBrowser, through its driver, on a virtual screen. */
export async function startWebKit(program: string, folder: string, serverUrl: string) {
  const downloads = join(folder, "downloads");
  for (const path of [downloads, join(folder, ".config")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, ".config", "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const screen = existsSync(SCREEN) ? await startScreen() : undefined;
    if (screen) ends.push(() => endProcess(screen.child));
    const port = await freePort();
    const driver = spawn(program, [`--port=${port}`], {
      stdio: "ignore",
      // There may be no graphics card, so a software renderer is used; and no accessibility bus, so the browser does
      // not wait for one.
      env: {
        ...process.env,
        HOME: folder,
        DISPLAY: screen?.display ?? process.env.DISPLAY,
        GDK_BACKEND: "x11",
        LIBGL_ALWAYS_SOFTWARE: "1",
        NO_AT_BRIDGE: "1",
      },
    });
    ends.push(() => endProcess(driver));
    const recorder = await startRecorder(serverUrl);
    ends.push(() => recorder.close());
    await driverIsReady(`http://127.0.0.1:${port}`);
    const page = await WebDriverPage.open(`http://127.0.0.1:${port}`, {});
    ends.push(() => page.close());
    return { page, url: recorder.url, downloads, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts an X server, which chooses a free number and writes it to its fourth stream. */
async function startScreen(): Promise<{ child: ChildProcess; display: string }> {
  const options = ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const child = spawn(SCREEN, options, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const display = await new Promise<string>((resolve, reject) => {
    child.stdio[3]?.once("data", (line) => resolve(`:${String(line).trim()}`));
    child.once("error", reject).once("exit", () => reject(new Error(`${SCREEN} has ended.`)));
  });
  return { child, display };
}
