import { plural, t } from "@lingui/core/macro";
import { Checkbox, Group, Text } from "@mantine/core";
import { unreadIn } from "../../comments/threads";
import { useComments, useEditor } from "../../editor/context";
import classes from "./Comments.module.css";
import { useThreads } from "./useThreads";

/** The image's threads in the sidebar, open ones first. Nothing on an image without comments. */
export function CommentList() {
  const { comments, parts } = useEditor();
  const threads = useThreads();
  const { open, showsResolved, read } = useComments((state) => state);
  if (threads.length === 0) return null;
  const opened = threads.filter(({ first }) => !first.resolved);
  const resolved = threads.filter(({ first }) => first.resolved);
  const shown = showsResolved ? [...opened, ...resolved] : opened;
  return (
    <section className={classes.list} aria-label={t`Comments`}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" fw={600}>
          {plural(opened.length, { one: "# open thread", other: "# open threads" })}
        </Text>
        {resolved.length > 0 && (
          <Checkbox
            size="xs"
            label={t`Show ${{ number: resolved.length }} resolved`}
            checked={showsResolved}
            onChange={() => comments.toggleResolved()}
          />
        )}
      </Group>
      <ul className={classes.rows}>
        {shown.map((thread) => {
          const { first, number, comments: all } = thread;
          const unread = read ? unreadIn(thread, parts.username, read.get(first.uuid)) : 0;
          return (
            <li key={first.uuid}>
              <button
                type="button"
                className={classes.row}
                aria-current={first.uuid === open}
                data-unread={unread > 0 || undefined}
                onClick={() => comments.goTo(first.uuid)}
              >
                <span>{number}</span>
                <span className={classes.first} dir="auto">
                  {all[0]?.text}
                </span>
                {all.length > 1 && <span>{`+${all.length - 1}`}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
