import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs one of the operator's commands on a data folder. Returns its output. Rejects if it exits with an error. */
export async function operatorCommand(name: string, dataDir: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir };
  const program = ["--enable-source-maps", `dist/server/cli/${name}.js`, ...args];
  const { stdout } = await run(process.execPath, program, { env });
  return stdout;
}
