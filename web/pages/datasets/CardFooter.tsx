import { t } from "@lingui/core/macro";
import { Text } from "@mantine/core";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { agoText } from "../../components/agoText";
import { dateLocale } from "../../languages/formats";
import { useInfo } from "../../queries/session";
import classes from "../common/cards.module.css";

type Props = Pick<DatasetCard, "owner" | "edited_at" | "edited_by">;

/** Last lines of a dataset's card: its owner, its last change and who made it. Names are left out if login is off. */
export function CardFooter({ owner, edited_at, edited_by }: Props) {
  const info = useInfo();
  const hasUsers = info.state === "loaded" && info.data.login_enabled;
  if (!edited_at && !(hasUsers && owner)) return null;
  return (
    <div className={classes.footer}>
      {hasUsers && owner && (
        <Text size="xs" c="dimmed">
          {t`Created by ${owner}`}
        </Text>
      )}
      {edited_at && (
        <Text size="xs" c="dimmed" title={new Date(edited_at).toLocaleString(dateLocale())}>
          {editedText(agoText(edited_at), hasUsers ? edited_by : null)}
        </Text>
      )}
    </div>
  );
}

const editedText = (time: string, user: string | null | undefined): string =>
  user ? t`Edited ${time} by ${user}` : t`Edited ${time}`;
