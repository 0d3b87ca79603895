// Prepares a fresh clone: installs packages and, for the tests, a browser and a PostgreSQL server. Imports only Node's
// built-in modules, since nothing is installed yet.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const STAMP = "node_modules/.cache/limn-setup.json";
process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));

requireNode(20, 19);
installPackages();
if (process.argv.includes("--browser")) await findBrowser();
if (process.argv.includes("--postgres")) findPostgres();
if (process.argv.includes("--other-browsers")) installOtherBrowsers();

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split(".").map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Node ${major}.${minor} or newer is needed (this is ${process.versions.node}).`);
}

/** Runs `npm ci` if the lockfile, Node or the platform has changed since the last time. */
function installPackages() {
  const hash = createHash("sha256")
    .update(readFileSync("package-lock.json"))
    .update(process.version + process.platform + process.arch)
    .digest("hex");
  if (readStamp().hash === hash) return;
  const code = npm(["ci", "--no-audit", "--no-fund", "--include=dev"], {
    SCARF_ANALYTICS: "false",
    ONNXRUNTIME_NODE_INSTALL: "skip",
  });
  if (code !== 0) process.exit(code);
  writeStamp({ hash });
}

async function findBrowser() {
  const { chromium } = await import("@playwright/test").catch(() => ({}));
  const look = () =>
    [
      process.env.CHROME_BIN,
      "/usr/bin/chromium",
      "/usr/bin/chromium-browser",
      "/usr/bin/google-chrome",
      "/usr/bin/google-chrome-stable",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "C:/Program Files/Google/Chrome/Application/chrome.exe",
      chromium?.executablePath(),
    ].find((path) => path && isExecutable(path));
  if (!look()) aptInstall("chromium");
  if (!look())
    run(process.execPath, ["node_modules/playwright-core/cli.js", "install", "chromium"], { timeout: 300_000 });
  const browser = look();
  if (!browser) fail("No Chromium found. Install chromium, or set CHROME_BIN=/path/to/chrome.");
  writeStamp({ browser, headlessShell: findHeadlessShell() ?? null });
}

/**
 * Returns the path of Chromium's headless shell, in which a page opens for 40 % less CPU time than in a Chromium
 * without windows. Where Debian's packages can be downloaded, it is taken out of them, so that an installed Chromium
 * stays as it is. Tried once in a clone.
 */
function findHeadlessShell() {
  const installed = "/usr/bin/chromium-headless-shell";
  if (process.env.CHROME_BIN) return undefined;
  if (isExecutable(installed)) return installed;
  const { headlessShell } = readStamp();
  if (headlessShell === null || isExecutable(headlessShell ?? "")) return headlessShell;
  const folder = resolve("node_modules/.cache/headless-shell");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!isExecutable("/usr/bin/apt-get")) return undefined;
  const download = () =>
    run("apt-get", ["download", "-qq", "chromium-headless-shell", "chromium-common"], {
      cwd: folder,
      timeout: 300_000,
    });
  if (download() !== 0) {
    if (process.getuid?.() !== 0) return undefined;
    run("apt-get", ["update", "-qq"]);
    if (download() !== 0) return undefined;
  }
  for (const name of safeList(folder)) {
    if (run("dpkg-deb", ["--extract", name, "."], { cwd: folder }) !== 0) return undefined;
    rmSync(join(folder, name));
  }
  const program = join(folder, "usr/lib/chromium/chromium-headless-shell");
  return run(program, ["--version"]) === 0 ? program : undefined;
}

/**
 * Installs Firefox and Safari's engine where that is possible. The walk in a missing browser is skipped with a message.
 */
function installOtherBrowsers() {
  const isThere = (paths) => paths.some((path) => path && isExecutable(path));
  if (!isThere([process.env.FIREFOX_BIN, "/usr/bin/firefox-esr", "/usr/bin/firefox"])) aptInstall("firefox-esr");
  if (!isThere([process.env.WEBKIT_DRIVER_BIN, "/usr/bin/WebKitWebDriver"])) aptInstall("webkit2gtk-driver");
  if (!isThere(["/usr/bin/Xvfb"])) aptInstall("xvfb");
}

/**
 * Looks for PostgreSQL 15 or newer, which the tests start. Without PostgreSQL, the tests that need it are skipped with
 * a message.
 */
function findPostgres() {
  if (!postgresFolder()) aptInstall("postgresql");
  writeStamp({ postgres: postgresFolder() ?? null });
}

function postgresFolder() {
  const versions = "/usr/lib/postgresql";
  const folders = safeList(versions)
    .filter((name) => Number(name) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(versions, name, "bin"));
  return [process.env.PG_BIN, ...folders, "/opt/homebrew/bin", "/usr/local/bin"].find(
    (folder) => folder && isExecutable(join(folder, "initdb")) && isExecutable(join(folder, "postgres")),
  );
}

function aptInstall(name) {
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) return;
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" } };
  const install = ["install", "-y", "--no-install-recommends", name];
  if (run("apt-get", install, options) === 0) return;
  run("apt-get", ["update", "-qq"], options);
  run("apt-get", install, options);
}

function npm(args, env) {
  const script = process.env.npm_execpath;
  return script
    ? run(process.execPath, [script, ...args], { env })
    : run(process.platform === "win32" ? "npm.cmd" : "npm", args, { env, shell: process.platform === "win32" });
}

function run(command, args, options = {}) {
  return (
    spawnSync(command, args, { stdio: "inherit", ...options, env: { ...process.env, ...options.env } }).status ?? 1
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function safeList(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, "utf8"));
  } catch {
    return {};
  }
}

function writeStamp(values) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, JSON.stringify({ ...readStamp(), ...values }));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
