import { Button } from "@mantine/core";
import { MapPinOff } from "lucide-react";
import { Link } from "react-router-dom";
import { EmptyState } from "../../components/lists/EmptyState";
import { PageTitle } from "./PageTitle";

export function NotFoundPage() {
  return (
    <>
      <PageTitle>404 Error</PageTitle>
      <EmptyState icon={MapPinOff} title="Sorry! 404 Error" isPage>
        Could not find the page you are looking for.
        <Button component={Link} to="/datasets" variant="default">
          Go to datasets
        </Button>
      </EmptyState>
    </>
  );
}
