import type { Command } from "./base/command";

/** Returns the list of commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => nameOf(command).length));
  return [
    "Usage: npm run --silent cli -- COMMAND [OPTIONS]",
    "",
    ...commands.map((command) => `  ${nameOf(command).padEnd(width)}  ${command.summary}`),
    "",
    "Options of every command:",
    "  --url URL   address of the server; else LIMN_URL, the stored one, or http://localhost:5000",
    "  --json      print one JSON value on standard output",
    "  --help      show the options of a command",
    "  --version   show the version",
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 not logged in, 4 no server, 5 another version, 130 interrupted.",
  ].join("\n");
}

/** Returns the help of one command. */
export function helpFor(command: Command): string {
  const options = Object.entries(command.optionHelp ?? {});
  const width = Math.max(0, ...options.map(([option]) => option.length));
  const lines = options.map(([option, text]) => `  --${option.padEnd(width)}  ${text}`);
  return [`Usage: ${nameOf(command)}`, "", `${command.summary}.`, ...(lines.length > 0 ? ["", ...lines] : [])].join(
    "\n",
  );
}

const nameOf = ({ name, usage }: Command): string => `${name} ${usage}`.trim();
