import { plural, t } from "@lingui/core/macro";
import { Badge, Group, SegmentedControl, Text } from "@mantine/core";
import { MessageSquare } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import type { ThreadSummary } from "../../../shared/entities/comment";
import { AgoTime } from "../../components/agoText";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { Pager } from "../../components/lists/Pager";
import { LoadError } from "../../components/messages/LoadError";
import { useThreadList } from "../../queries/comments";
import { PageTitle } from "../common/PageTitle";
import { RowSkeletons } from "../common/RowSkeletons";
import classes from "./Comments.module.css";

const CHOICES = ["unread", "me", "mentions", "all"] as const;
type Choice = (typeof CHOICES)[number];
const isChoice = (value: string | null): value is Choice => CHOICES.some((choice) => choice === value);

/** Page of threads of comments: unread ones, those that concern the user, or all. Each opens its image at the pin. */
export function CommentsPage() {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("about");
  const about = isChoice(wanted) ? wanted : "me";
  const page = Math.max(1, Number(search.get("page")) || 1);
  const list = useThreadList({ about, page });
  const show = (change: { about?: string; page?: number }) => {
    const next = { about, page: 1, ...change };
    setSearch({ about: next.about, ...(next.page > 1 && { page: String(next.page) }) });
  };
  return (
    <div className={classes.page}>
      <PageTitle>{t`Comments`}</PageTitle>
      <ListHead title={t`Comments`} list={list} />
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label={t`Threads`}
          value={about}
          onChange={(value) => show({ about: value })}
          data={[
            { value: "me", label: t`Concerning me` },
            { value: "unread", label: t`Unread` },
            { value: "mentions", label: t`Mentioning me` },
            { value: "all", label: t`All open` },
          ]}
        />
      </div>
      {list.state === "loading" && <RowSkeletons />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.threads.length === 0 && (
        <EmptyState icon={MessageSquare} title={t`No comments`}>
          {t`Comments are written in the annotator, on a place or an annotation of an image.`}
        </EmptyState>
      )}
      {list.state === "loaded" && (
        <>
          <ul className={classes.list}>
            {list.data.threads.map((thread) => (
              <li key={thread.uuid}>
                <ThreadLink thread={thread} />
              </li>
            ))}
          </ul>
          <Pager page={page} pages={list.data.pagination.pages} onChange={(next) => show({ page: next })} />
        </>
      )}
    </div>
  );
}

function ThreadLink({ thread }: { thread: ThreadSummary }) {
  const { uuid, image_id: image, file_name, dataset, comments, unread, last } = thread;
  return (
    <Link to={`/annotate/${image}#comment=${uuid}`} className={classes.thread} data-unread={unread > 0 || undefined}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed" truncate>
          <bdi>{dataset}</bdi> / <bdi>{file_name}</bdi>
        </Text>
        {unread > 0 && (
          <Badge size="xs" variant="filled" tt="none">
            {plural(unread, { one: "# unread", other: "# unread" })}
          </Badge>
        )}
      </Group>
      <p className={classes.text} dir="auto">
        {last.text}
      </p>
      <Text size="xs" c="dimmed">
        <bdi>{last.creator}</bdi>, <AgoTime iso={last.created_at} /> ·{" "}
        {plural(comments, { one: "# comment", other: "# comments" })}
      </Text>
    </Link>
  );
}
