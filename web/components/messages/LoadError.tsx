import { Anchor, Button, Text } from "@mantine/core";
import { CloudOff } from "lucide-react";
import { EmptyState } from "../lists/EmptyState";
import { messageOf } from "./toast";

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** Stands where something could not be loaded, with a way to try again. */
export function LoadError({ error, onRetry }: Props) {
  return (
    <EmptyState icon={CloudOff} title={messageOf(error)}>
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  );
}

/** The same in a line, for a part of a form or a dialog. */
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
