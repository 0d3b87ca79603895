import type { ParseArgsConfig } from "node:util";
import type { Client } from "./connect";
import type { Output } from "./output";
import type { Login } from "./settings";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Arguments and tools of a running command. */
export interface Context {
  /** Arguments that are no options, after the command's name. */
  words: string[];
  /** Returns the value of an option that takes text. */
  text(option: string): string | undefined;
  /** Returns true if a switch is given. */
  has(option: string): boolean;
  output: Output;
  signal: AbortSignal;
  env: Readonly<Record<string, string | undefined>>;
  login: Login;
  /** Connects to the server. Throws if there is no token. */
  connect(login?: Login): Promise<Client>;
  /** Reads one line from standard input, without showing what is typed. */
  readSecret(question: string): Promise<string>;
}

/** One command: its name, its help and its work. */
export interface Command {
  /** One or two words, such as "datasets list". */
  name: string;
  /** Arguments as help shows them, such as "FOLDER --dataset DATASET". */
  usage: string;
  summary: string;
  /** Smallest and largest number of words. */
  words: [number, number];
  options?: Options;
  /** Help for each option. */
  optionHelp?: Record<string, string>;
  /** Returns the exit code, or nothing for 0. */
  run(context: Context): Promise<number> | Promise<void>;
}
