import { run } from "../../cli/run";

export interface CliResult {
  code: number;
  out: string;
  err: string;
}

export interface CliOptions {
  env: Record<string, string>;
  /** The typed token. */
  secret?: string;
  /** Receives everything written to standard error. */
  onNote?: (text: string) => void;
  signal?: AbortSignal;
  isTerminal?: boolean;
}

/** Runs the command line in this process, as `npm run cli` does in its own. */
export async function runCli(argv: string[], options: CliOptions): Promise<CliResult> {
  const result: CliResult = { code: -1, out: "", err: "" };
  result.code = await run(argv, {
    env: options.env,
    signal: options.signal ?? new AbortController().signal,
    out: { write: (text) => (result.out += text) },
    err: {
      isTTY: options.isTerminal ?? false,
      write: (text) => {
        result.err += text;
        options.onNote?.(text);
      },
    },
    pauses: { first: 1, longest: 1 },
    readSecret: async () => options.secret ?? "",
  });
  return result;
}
