import { t } from "@lingui/core/macro";
import { Button, Checkbox, Group, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import { isRepeatedClick } from "../../../components/isRepeatedClick";
import { detailText } from "./detailText";
import { FindingPicture } from "./FindingPicture";
import classes from "./Quality.module.css";

interface Props {
  finding: ShownFinding;
  /** Undefined while findings cannot be fixed. */
  onFix: (() => void) | undefined;
  onIgnore: (() => void) | undefined;
  /** Undefined where findings are not selected. */
  selection?: { isSelected: boolean; onToggle: () => void } | undefined;
}

/** A finding: its pictures, what was measured, and what can be done about it. */
export function FindingCard({ finding, onFix, onIgnore, selection }: Props) {
  const { image, other_image, annotation, other_annotation, category, is_ignored } = finding;
  const name = image?.file_name ?? category?.name ?? "";
  return (
    <article className={classes.card} aria-label={name}>
      {image && (
        <div className={classes.pictures}>
          <FindingPicture image={image} boxes={[annotation, other_annotation]} />
          {other_image && <FindingPicture image={other_image} boxes={[]} />}
        </div>
      )}
      <div className={classes.body}>
        {image ? (
          <Link className={classes.name} to={addressOf(image.id, annotation?.uuid)} title={image.path}>
            {image.path}
          </Link>
        ) : (
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
        )}
        {other_image && (
          <Link className={classes.name} to={addressOf(other_image.id)} title={other_image.path}>
            {other_image.path}
          </Link>
        )}
        <Text size="xs" c="dimmed">
          {detailText(finding)}
        </Text>
        <Group gap={6} mt="auto">
          {selection && (
            <Checkbox
              size="xs"
              checked={selection.isSelected}
              onChange={selection.onToggle}
              aria-label={t`Select ${name}`}
            />
          )}
          {image && (
            <Button
              component={Link}
              to={addressOf(image.id, annotation?.uuid)}
              size="compact-xs"
              variant="default"
              aria-label={t`Show ${name} in the annotator`}
            >
              {t`Show`}
            </Button>
          )}
          {onFix && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={(event) => isRepeatedClick(event) || onFix()}
              aria-label={t`Fix ${name}`}
            >
              {t`Fix`}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            disabled={!onIgnore}
            onClick={(event) => isRepeatedClick(event) || onIgnore?.()}
            aria-label={is_ignored ? t`Stop ignoring ${name}` : t`Ignore ${name}`}
          >
            {is_ignored ? t`Stop ignoring` : t`Ignore`}
          </Button>
        </Group>
      </div>
    </article>
  );
}

/** Returns the address of an image in the annotator, with the annotation that will be selected. */
const addressOf = (imageId: number, uuid?: string): string =>
  `/annotate/${imageId}${uuid ? `#annotation=${uuid}` : ""}`;
