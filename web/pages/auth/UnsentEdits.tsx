import { plural } from "@lingui/core/macro";
import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { journalNames } from "../../io/journal/journalName";

/** Note on the login page with the number of unsent changes on this device. For privacy, it shows no details. */
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
      {count > 0 && unsentText(count)}
    </Text>
  );
}

const unsentText = (count: number): string =>
  plural(count, {
    one: "# change on this device has not been sent yet. Log in to send yours.",
    other: "# changes on this device have not been sent yet. Log in to send yours.",
  });

/** Returns the number of pending changes. Without a journal, does not load the heavy database library. */
async function countChanges(): Promise<number> {
  if ((await journalNames()).length === 0) return 0;
  const { countPendingSubjects } = await import("../../sync/journal/countPendingSubjects");
  return countPendingSubjects();
}
