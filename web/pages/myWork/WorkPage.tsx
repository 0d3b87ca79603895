import { t } from "@lingui/core/macro";
import { Title } from "@mantine/core";
import { ClipboardList } from "lucide-react";
import { Link } from "react-router-dom";
import { agoText } from "../../components/agoText";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { LoadError } from "../../components/messages/LoadError";
import { useIsAway } from "../../components/offline/away";
import { useMyWork } from "../../queries/assignment/myWork";
import { PageTitle } from "../common/PageTitle";
import { RowSkeletons } from "../common/RowSkeletons";
import { DatasetCard } from "./DatasetCard";
import { ReturnedRow } from "./ReturnedRow";
import classes from "./Work.module.css";

/** Page of the user's work in all datasets: what is assigned, returned, waits for a review, and was accepted last. */
export function WorkPage() {
  const work = useMyWork();
  const isAway = useIsAway();
  // While the page is loading or has failed, it says so itself.
  const note =
    isAway && work.state === "loaded"
      ? t`The server cannot be reached. Shown is what this browser knows: other datasets and what others have done since then are missing.`
      : undefined;
  return (
    <div className={classes.page}>
      <PageTitle>{t`My Work`}</PageTitle>
      <ListHead title={t`My Work`} note={note} list={work} />
      {work.state === "loading" && <RowSkeletons />}
      {work.state === "failed" && <LoadError error={work.error} onRetry={() => void work.retry()} />}
      {work.state === "loaded" && !work.data.is_team && (
        <EmptyState icon={ClipboardList} title={t`No work`}>
          {t`Datasets that you share with others, and images that are assigned to you, are shown here.`}
        </EmptyState>
      )}
      {work.state === "loaded" && work.data.is_team && (
        <>
          {work.data.returned.length > 0 && (
            <section aria-labelledby="work-returned">
              <Title order={2} id="work-returned" className={classes.heading}>{t`Returned to me`}</Title>
              <ul className={classes.list}>
                {work.data.returned.map((image) => (
                  <ReturnedRow key={image.id} image={image} />
                ))}
              </ul>
            </section>
          )}
          <section aria-labelledby="work-datasets">
            <Title order={2} id="work-datasets" className={classes.heading}>{t`Datasets`}</Title>
            <ul className={classes.datasets}>
              {work.data.datasets.map((dataset) => (
                <DatasetCard key={dataset.id} dataset={dataset} />
              ))}
            </ul>
          </section>
          {work.data.accepted.length > 0 && (
            <section aria-labelledby="work-accepted">
              <Title order={2} id="work-accepted" className={classes.heading}>{t`Recently accepted`}</Title>
              <ul className={classes.list}>
                {work.data.accepted.map(({ id, file_name, dataset, accepted_at }) => (
                  <li key={id} className={classes.row}>
                    <Link to={`/annotate/${id}`} className={classes.name}>
                      <bdi>{file_name}</bdi>
                    </Link>
                    <span className={classes.about}>
                      <bdi>{dataset}</bdi>
                      {accepted_at && ` · ${agoText(accepted_at)}`}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </div>
  );
}
