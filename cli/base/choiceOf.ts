import { usageError } from "./errors";

/** Returns the value of an option if it is one of `choices`. Throws a usage error for another value. */
export function choiceOf<T extends string>(
  option: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  const found = choices.find((choice) => choice === text);
  if (text !== undefined && found === undefined) throw usageError(`--${option} must be one of ${choices.join(", ")}.`);
  return found;
}
