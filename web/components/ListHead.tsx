import { Button, Group, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import type { ReactNode, Ref } from "react";

interface Props {
  title: string;
  /** What is known of the list, e.g. how many it has; told to screen readers when it changes. */
  note?: string | undefined;
  list: Pick<UseQueryResult, "isFetching" | "isPending" | "refetch">;
  /** Where the focus goes when what had it is gone. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Buttons before "Refresh". */
  children?: ReactNode;
  /** What stands behind it. */
  after?: ReactNode;
}

/** The head of a list's page. */
export function ListHead({ title, note, list, headingRef, children, after }: Props) {
  const { isFetching, isPending, refetch } = list;
  return (
    <Group gap="xs" mb="md">
      <Title order={1} ref={headingRef} tabIndex={headingRef ? -1 : undefined} style={{ outline: "none" }}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mr="auto" role="status">
        {note}
      </Text>
      {children}
      <Button
        variant="default"
        leftSection={<RefreshCw size={14} />}
        loading={isFetching && !isPending}
        onClick={() => void refetch()}
      >
        Refresh
      </Button>
      {after}
    </Group>
  );
}
