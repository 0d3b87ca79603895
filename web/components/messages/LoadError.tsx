import { Anchor, Button, Text } from "@mantine/core";
import { CloudOff } from "lucide-react";
import { EmptyState } from "../lists/EmptyState";
import { messageOf } from "./toast";

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** Shown in place of content that could not be loaded, with a button to try again. */
export function LoadError({ error, onRetry }: Props) {
  return (
    <EmptyState icon={CloudOff} title={messageOf(error)}>
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  );
}

/** One-line version, for part of a form or dialog. */
export function LoadErrorLine({ error, onRetry }: Props) {
  return (
    <Text size="sm">
      {messageOf(error)}{" "}
      <Anchor component="button" type="button" inherit underline="always" onClick={onRetry}>
        Try again
      </Anchor>
    </Text>
  );
}
