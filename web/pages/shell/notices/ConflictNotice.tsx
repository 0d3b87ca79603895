import { plural, t } from "@lingui/core/macro";
import { Button, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { usePendingEdits } from "../../offline/usePendingEdits";
import classes from "./Notices.module.css";

/** Notice that conflicts wait for the user's choice. Hidden on pages that offer this choice anyway. */
export function ConflictNotice({ isHidden }: { isHidden: boolean }) {
  const conflicts = usePendingEdits()?.conflicts ?? 0;
  if (conflicts === 0 || isHidden) return null;
  return (
    <div className={classes.notice} data-kind="review">
      <Text size="sm">
        {plural(conflicts, {
          one: "# of your changes conflicts with other users' changes.",
          other: "# of your changes conflict with other users' changes.",
        })}
      </Text>
      <Button component={Link} to="/conflicts" size="compact-xs">
        {t`Choose`}
      </Button>
    </div>
  );
}
