import { Center, Loader } from "@mantine/core";

/** While it is not known yet who is here, or what the page is. Appears late, so that short waits do not flicker. */
export function Loading() {
  return (
    <Center h="60vh">
      <Loader size="sm" aria-label="Loading" />
    </Center>
  );
}
