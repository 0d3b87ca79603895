import { t } from "@lingui/core/macro";
import { CloseButton } from "@mantine/core";
import { useState } from "react";
import { useDocument, useEditor } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/**
 * Shows the other users on this image. Once dismissed, the warning appears again when another user opens the image,
 * even one who was there before.
 */
export function PresenceWarning() {
  const { username } = useEditor().parts;
  const annotating = useDocument((state) => state.image.annotating);
  // Without accounts, all users have the same name.
  const names = username === null ? [] : annotating.filter((name) => name !== username);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  // A user who left is announced again after coming back.
  if (dismissed.some((name) => !names.includes(name))) setDismissed(dismissed.filter((name) => names.includes(name)));
  const isShown = names.some((name) => !dismissed.includes(name));
  return (
    <div role="status">
      {isShown && (
        <div className={classes.presence}>
          <span>{t`This image is being annotated by ${{ names: names.join(", ") }}`}</span>
          <CloseButton
            size="sm"
            aria-label={t`Dismiss`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setDismissed(names)}
          />
        </div>
      )}
    </div>
  );
}
