import { t } from "@lingui/core/macro";
import { Anchor, Button, Text } from "@mantine/core";
import { CloudOff, TriangleAlert } from "lucide-react";
import { RequestError } from "../../io/http/request";
import { EmptyState } from "../lists/EmptyState";
import { useIsAway } from "../offline/away";
import { needsServer } from "../offline/NeedsServer";
import { messageOf } from "./toast";

interface Props {
  error: unknown;
  onRetry: () => void;
}

interface ContentProps extends Props {
  /** Sentence without a full stop that names the content. */
  title?: string;
}

/**
 * Shown in place of content that could not be loaded, with the reason and a button to try again. While the server is
 * away, says that the content needs the server; the content then loads again when the server is back.
 */
export function LoadError({ error, onRetry, title = t`This could not be loaded` }: ContentProps) {
  const isAway = useIsAway();
  if (isAway && isUnreachable(error))
    return (
      <EmptyState icon={CloudOff} title={t`Not available offline`}>
        {t`This needs the server. It loads automatically as soon as the server can be reached.`}
      </EmptyState>
    );
  return (
    <EmptyState icon={isUnreachable(error) ? CloudOff : TriangleAlert} title={title}>
      {messageOf(error)}
      <Button variant="default" size="xs" onClick={onRetry}>
        {t`Try again`}
      </Button>
    </EmptyState>
  );
}

const isUnreachable = (error: unknown): boolean => error instanceof RequestError && error.isOffline;

/** One-line version, for part of a form or dialog. */
export function LoadErrorLine({ error, onRetry }: Props) {
  const isAway = useIsAway();
  if (isAway && isUnreachable(error)) return <Text size="sm">{needsServer()}</Text>;
  return (
    <Text size="sm">
      {messageOf(error)}{" "}
      <Anchor component="button" type="button" inherit underline="always" onClick={onRetry}>
        {t`Try again`}
      </Anchor>
    </Text>
  );
}
