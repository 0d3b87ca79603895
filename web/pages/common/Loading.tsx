import { t } from "@lingui/core/macro";
import { Center, Loader } from "@mantine/core";

/** Spinner shown while the session or the page is loading. */
export function Loading() {
  return (
    <Center h="60vh">
      <Loader size="sm" aria-label={t`Loading`} />
    </Center>
  );
}
