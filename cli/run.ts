import { parseArgs } from "node:util";
import type { BackOffRange } from "../shared/async/backOff";
import type { Command, Context } from "./base/command";
import { connect } from "./base/connect";
import { CommandError, describeError, EXIT, usageError } from "./base/errors";
import { Output, type Streams } from "./base/output";
import { readLogin } from "./base/settings";
import { VERSION } from "./base/version";
import { commands } from "./commands";
import { helpFor, overview } from "./help";

/** The surroundings of the program; tests replace them. */
export interface Surroundings extends Streams {
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user presses Ctrl+C. */
  signal: AbortSignal;
  readSecret(question: string): Promise<string>;
  /** Pauses between tries; by default those of `makeRetryingFetch`. */
  pauses?: BackOffRange;
}

/** Options of every command. */
const COMMON = {
  url: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Runs the command line and returns the exit code. Errors are printed as one message. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out, err, signal } = surroundings;
  let url = "";
  const isJson = argv.includes("--json");
  const output = new Output(surroundings, isJson);
  try {
    if (argv.includes("--version")) return print(`limn ${VERSION}`);
    const command = commandOf(argv);
    if (!command) {
      if (argv.length > 0 && !isHelp(argv)) throw usageError(`There is no such command.\n\n${overview(commands)}`);
      return print(overview(commands));
    }
    const { values, positionals } = parseArgs({
      args: argv.slice(command.name.split(" ").length),
      options: { ...command.options, ...COMMON },
      allowPositionals: true,
    });
    if (values.help) return print(helpFor(command));
    requireArguments(command, positionals, values);
    const login = await readLogin(surroundings.env, values.url);
    url = login.url;
    const given: Record<string, unknown> = values;
    const context: Context = {
      words: positionals,
      text: (option) => (typeof given[option] === "string" ? given[option] : undefined),
      has: (option) => given[option] === true,
      output,
      signal,
      env: surroundings.env,
      login,
      connect: (other = login) => {
        url = other.url;
        if (!other.token) throw new CommandError(NO_TOKEN, EXIT.notLoggedIn);
        return connect(other, {
          signal,
          ...(surroundings.pauses && { range: surroundings.pauses }),
          onRetry: (seconds, reason) => output.note(`${reason}; trying again in ${Math.ceil(seconds)} s`),
        });
      },
      readSecret: surroundings.readSecret,
    };
    return (await command.run(context)) ?? EXIT.done;
  } catch (error) {
    output.endProgress();
    if (signal.aborted) {
      err.write("Interrupted.\n");
      return EXIT.interrupted;
    }
    const { exitCode, message } = describeError(error, url);
    err.write(`${message}\n`);
    if (isJson) out.write(`${JSON.stringify({ error: { message, exit_code: exitCode } })}\n`);
    return exitCode;
  }

  function print(text: string): number {
    out.write(`${text}\n`);
    return EXIT.done;
  }
}

const NO_TOKEN = 'Not logged in. Run "login", or set LIMN_TOKEN to an API token from the user page.';

const isHelp = (argv: readonly string[]): boolean => ["help", "--help", "-h"].includes(argv[0] ?? "");

/** Returns the command with the first one or two arguments as its name. */
function commandOf([first = "", second = ""]: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
}

/** Options that a command cannot do without. */
const REQUIRED = ["dataset", "output"];

function requireArguments(command: Command, words: string[], values: Record<string, unknown>): void {
  const [least, most] = command.words;
  const missing = REQUIRED.filter((option) => command.options?.[option] && values[option] === undefined);
  if (words.length >= least && words.length <= most && missing.length === 0) return;
  throw usageError(`Usage: ${command.name} ${command.usage}\nRun "${command.name} --help" for its options.`);
}
