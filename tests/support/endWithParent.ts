/** For programs that tests start: ends when the test's process goes, however it goes, since then standard input ends. */
export function endWithParent(): void {
  process.stdin.once("end", () => process.exit(1)).resume();
}
