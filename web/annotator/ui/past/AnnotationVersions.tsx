import { t } from "@lingui/core/macro";
import { Button, Loader, Text } from "@mantine/core";
import { useState } from "react";
import type { AnnotationVersion } from "../../../../shared/api/history";
import type { Annotation } from "../../../../shared/entities/annotation";
import { AgoTime } from "../../../components/agoText";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import { useVersions } from "../../../queries/history";
import { shownOf } from "../../../queries/queryState";
import { useDocument, useEditor } from "../../editor/context";
import classes from "./History.module.css";
import { pathOf } from "./paths";
import { fieldsText } from "./stepText";
import type { Timeline } from "./useTimeline";

/** The versions of an annotation with their outlines, newest first. Choosing one shows its moment. */
export function AnnotationVersions({ uuid, timeline }: { uuid: string; timeline: Timeline }) {
  const { document } = useEditor();
  const revision = useDocument((state) => state.image.revision);
  const [before, setBefore] = useState<number | null>(null);
  const query = useVersions(document.state.image.id, uuid, revision, before);
  if (query.state === "failed") return <LoadErrorLine error={query.error} onRetry={query.retry} />;
  const shown = shownOf(query);
  if (!shown) return <Loader size="sm" aria-label={t`Loading…`} />;
  const { versions, older } = shown.data;
  const view = viewOf(versions.flatMap(({ annotation }) => annotation ?? []));
  if (versions.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {t`No recorded changes: this annotation is as it was imported or copied.`}
      </Text>
    );
  const choose = ({ image_revision: at }: AnnotationVersion) => {
    if (at !== null) timeline.choose(at >= timeline.newest ? null : at);
  };
  return (
    <>
      {before !== null && (
        <Button size="compact-xs" variant="subtle" onClick={() => setBefore(null)}>
          {t`Newer changes`}
        </Button>
      )}
      <ul className={classes.list}>
        {versions.map((version) => (
          <li key={version.image_revision ?? 0}>
            <button
              type="button"
              className={classes.version}
              disabled={version.image_revision === null}
              aria-current={version.image_revision === timeline.step?.to || undefined}
              onClick={() => choose(version)}
            >
              <Outline annotation={version.annotation} view={view} />
              <span className={classes.what}>
                <strong>{version.user || t`Unknown user`}</strong> {versionText(version)}
              </span>
              {version.image_revision !== null && (
                <span className={classes.when}>
                  <AgoTime iso={version.at} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {older !== null && (
        <Button size="compact-xs" variant="subtle" onClick={() => setBefore(older)}>
          {t`Older changes`}
        </Button>
      )}
    </>
  );
}

function versionText({ image_revision, action, fields }: AnnotationVersion): string {
  if (image_revision === null) return t`as imported`;
  if (action === "create") return t`created`;
  return action === "delete" ? t`deleted` : fieldsText(fields);
}

function Outline({ annotation, view }: { annotation: Annotation | null; view: string }) {
  return (
    <svg className={classes.thumbnail} viewBox={view} aria-hidden="true">
      {annotation && (
        <path
          d={pathOf(annotation)}
          fill={annotation.color}
          fillOpacity={0.3}
          fillRule="evenodd"
          stroke={annotation.color}
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

/** Returns the box around all versions as a viewBox, so that their positions can be compared. */
function viewOf(versions: readonly Annotation[]): string {
  const boxes = versions.map(({ bbox }) => bbox).filter(([, , width, height]) => width > 0 || height > 0);
  if (boxes.length === 0) return "0 0 1 1";
  const left = Math.min(...boxes.map(([x]) => x));
  const up = Math.min(...boxes.map(([, y]) => y));
  const width = Math.max(...boxes.map(([x, , w]) => x + w)) - left;
  const height = Math.max(...boxes.map(([, y, , h]) => y + h)) - up;
  const margin = Math.max(width, height, 1) * 0.06;
  return `${left - margin} ${up - margin} ${width + 2 * margin} ${height + 2 * margin}`;
}
