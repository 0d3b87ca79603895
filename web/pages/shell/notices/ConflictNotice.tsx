import { Button, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { usePendingEdits } from "../../offline/usePendingEdits";
import classes from "./Notices.module.css";

/** Notice that changes in this browser wait for a choice. Hidden where the choice is offered anyway. */
export function ConflictNotice({ isHidden }: { isHidden: boolean }) {
  const { conflicts } = usePendingEdits();
  if (conflicts === 0 || isHidden) return null;
  return (
    <div className={classes.notice} data-kind="review">
      <Text size="sm">
        {conflicts === 1 ? "1 change of yours is" : `${conflicts} changes of yours are`} in conflict with those of
        others.
      </Text>
      <Button component={Link} to="/conflicts" size="compact-xs">
        Choose
      </Button>
    </div>
  );
}
