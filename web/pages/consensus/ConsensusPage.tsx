import { t } from "@lingui/core/macro";
import { Skeleton } from "@mantine/core";
import { useParams } from "react-router-dom";
import { LoadError } from "../../components/messages/LoadError";
import { RequestError } from "../../io/http/request";
import { useConsensusImage } from "../../queries/tabs/consensus";
import { NotFoundPage } from "../common/NotFoundPage";
import { PageTitle } from "../common/PageTitle";
import { MergeView } from "./MergeView";

/** `/consensus/{id}`: what annotators have drawn on the copies of an image, and merging it. */
export function ConsensusPage() {
  const { id = "" } = useParams();
  return /^\d{1,9}$/.test(id) ? <Image key={id} id={Number(id)} /> : <NotFoundPage />;
}

function Image({ id }: { id: number }) {
  const query = useConsensusImage(id);
  if (query.state === "failed") {
    const isAbsent = query.error instanceof RequestError && [403, 404].includes(query.error.status);
    return isAbsent ? <NotFoundPage /> : <LoadError error={query.error} onRetry={() => void query.retry()} />;
  }
  if (query.state === "loading")
    return (
      <>
        <PageTitle>{t`Consensus`}</PageTitle>
        <Skeleton m="md" height={320} w="auto" />
      </>
    );
  const view = query.data;
  // Choices are about what was drawn, so they begin anew when a copy has changed.
  const key = view.annotators.map(({ copy_id, revision }) => `${copy_id} ${revision}`).join();
  return (
    <>
      <PageTitle>{view.image.file_name}</PageTitle>
      <MergeView key={key} view={view} />
    </>
  );
}
