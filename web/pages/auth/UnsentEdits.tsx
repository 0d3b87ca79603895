import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { journalNames } from "../../io/storage/journalName";

/**
 * Shows on the login page how many changes wait on this device. Only the number: whose they are and what they are is
 * for who made them.
 */
export function UnsentEdits() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isGone = false;
    countChanges().then(
      (counted) => !isGone && setCount(counted),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <Text size="sm" ta="center" role="status">
      {count > 0 && `${count === 1 ? "1 change waits" : `${count} changes wait`} on this device. Log in to send yours.`}
    </Text>
  );
}

/** The journal's library is heavy: without a journal it is not loaded. */
async function countChanges(): Promise<number> {
  if ((await journalNames()).length === 0) return 0;
  const { countWaiting } = await import("../../sync/journal/countWaiting");
  return countWaiting();
}
