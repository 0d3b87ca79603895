import { t } from "@lingui/core/macro";
import { Button, CloseButton, Group, Paper, Progress, ScrollArea, Text } from "@mantine/core";
import { isRepeatedClick } from "../../components/isRepeatedClick";
import classes from "./UploadPanel.module.css";
import type { UploadQueue, UploadState } from "./uploadQueue";

/** Maximum number of lines; the others are only counted. */
const MAX_LINES = 200;

interface Props {
  queue: UploadQueue;
  state: UploadState;
}

/** Upload progress of a dataset, with the outcome of each file that was not added as a new image. */
export function UploadPanel({ queue, state }: Props) {
  if (state.total === 0) return null;
  const failures = state.results.filter((result) => result.isFailure);
  const more = state.results.length - MAX_LINES;
  const canRetry = failures.some(({ retry }) => retry);
  return (
    <Paper withBorder shadow="md" className={classes.panel} role="status" aria-label={t`Uploads`}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} mr="auto">
          {state.isActive ? activity(state) : summary(state, failures.length)}
        </Text>
        {state.isActive ? (
          <Button size="compact-xs" variant="default" loading={state.isCancelled} onClick={() => queue.cancel()}>
            {t`Cancel`}
          </Button>
        ) : (
          // In the place of "Cancel".
          <>
            {canRetry && (
              <Button size="compact-xs" onClick={(event) => isRepeatedClick(event) || queue.retry()}>
                {t`Try again`}
              </Button>
            )}
            <CloseButton size="sm" onClick={(event) => isRepeatedClick(event) || queue.clear()} aria-label={t`Close`} />
          </>
        )}
      </Group>
      {state.isActive && <Progress value={state.share * 100} mt="xs" size="sm" aria-label={t`Upload progress`} />}
      {state.results.length > 0 && (
        <ScrollArea.Autosize mah={180} mt="xs" viewportProps={{ tabIndex: 0, role: "region", "aria-label": t`Files` }}>
          <ul className={classes.list}>
            {[...failures, ...state.results.filter((result) => !result.isFailure)].slice(0, MAX_LINES).map((result) => (
              <li key={`${result.path} ${result.message}`} data-failure={result.isFailure || undefined}>
                <b>{result.path}</b> {result.message}
              </li>
            ))}
            {more > 0 && <li>{t`and ${more} more`}</li>}
          </ul>
        </ScrollArea.Autosize>
      )}
    </Paper>
  );
}

/** Returns the panel's title while an upload runs. */
const activity = ({ isCancelled, done, total }: UploadState): string =>
  isCancelled
    ? t`Cancelled. Waiting for the server's response to files already sent`
    : t`Uploading ${done} of ${total} files`;

function summary({ added, results }: UploadState, failures: number): string {
  const others = results.length - failures;
  const parts = [t`${added} added`, others > 0 && t`${others} with a note`, failures > 0 && t`${failures} failed`];
  return parts.filter(Boolean).join(", ");
}
