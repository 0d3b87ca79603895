import { Button } from "@mantine/core";
import { CloudOff } from "lucide-react";
import { EmptyState } from "./EmptyState";
import { messageOf } from "./toast";

/** Stands where something could not be loaded, with a way to try again. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <EmptyState icon={CloudOff} title={messageOf(error)}>
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  );
}
