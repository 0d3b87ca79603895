/** Ends a program started by a test when the test's process ends for any reason, because standard input then closes. */
export function endWithParent(): void {
  process.stdin.once("end", () => process.exit(1)).resume();
}
