import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useRouteError } from "react-router-dom";
import { EmptyState } from "../../components/lists/EmptyState";

/** Shown when a page crashed or its code could not be loaded. Edits are safe in the journal. */
export function RouteError() {
  const error = useRouteError();
  const isFile = error instanceof TypeError && /import|fetch|module/i.test(error.message);
  return (
    <EmptyState
      icon={TriangleAlert}
      title={isFile ? t`This page could not be loaded` : t`This page has crashed`}
      isPage
    >
      {isFile
        ? t`The server cannot be reached, or it runs a new version. Reload to try again.`
        : error instanceof Error
          ? error.message
          : String(error)}
      <Button variant="default" onClick={() => window.location.reload()}>
        {t`Reload`}
      </Button>
    </EmptyState>
  );
}
