import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { MapPinOff } from "lucide-react";
import { Link } from "react-router-dom";
import { EmptyState } from "../../components/lists/EmptyState";
import { PageTitle } from "./PageTitle";

export function NotFoundPage() {
  return (
    <>
      <PageTitle>{t`404 Error`}</PageTitle>
      <EmptyState icon={MapPinOff} title={t`Sorry! 404 Error`} isPage>
        {t`Could not find the page you are looking for.`}
        <Button component={Link} to="/datasets" variant="default">
          {t`Go to datasets`}
        </Button>
      </EmptyState>
    </>
  );
}
