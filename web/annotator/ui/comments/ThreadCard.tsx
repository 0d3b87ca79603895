import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Group, Menu, Text } from "@mantine/core";
import { Check, EllipsisVertical, X } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { textColorOn } from "../../../../shared/color/contrast";
import { colorOfName } from "../../../../shared/color/palettes";
import type { Comment } from "../../../../shared/entities/comment";
import { splitMentions } from "../../../../shared/rules/mentions";
import { AgoTime } from "../../../components/agoText";
import type { Point } from "../../canvas/view/view";
import { draftKeys } from "../../comments/Comments";
import type { Thread } from "../../comments/threads";
import { useDocument, useEditor } from "../../editor/context";
import { initialsOf } from "../messages/Avatars";
import { CommentField } from "./CommentField";
import classes from "./Comments.module.css";
import { useMarkRead } from "./useReadMarks";

const WIDTH_PX = 288;
const MARGIN_PX = 8;
/** Height that is kept free below the upper edge of a card. */
const HEIGHT_PX = 320;

/** Card beside a pin. Escape closes it; drafts are kept. Keys that are typed in it never reach the tools. */
function Card({ at, label, children }: { at: Point; label: string; children: ReactNode }) {
  const editor = useEditor();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!card.current?.contains(document.activeElement)) card.current?.focus();
  }, []);
  const { width, height } = editor.view.canvasSize;
  const right = at.x + 32;
  const fitsRight = right + WIDTH_PX + MARGIN_PX <= width;
  const left = fitsRight ? right : Math.max(MARGIN_PX, at.x - WIDTH_PX - MARGIN_PX);
  const top = Math.max(MARGIN_PX, Math.min(at.y - 24, height - HEIGHT_PX));
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    editor.comments.close();
    editor.focus();
  };
  return (
    <section
      ref={card}
      className={classes.card}
      style={{ "--card-left": `${left}px`, "--card-top": `${top}px` } as CSSProperties}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={handleKey}
    >
      {children}
    </section>
  );
}

/** Card with the field for the first comment of a thread. */
export function NewThreadCard({ at }: { at: Point }) {
  const editor = useEditor();
  const { comments } = editor;
  const close = () => {
    comments.close();
    editor.focus();
  };
  return (
    <Card at={at} label={t`New comment`}>
      <CommentField
        draft={draftKeys.begun}
        label={t`Comment`}
        action={t`Comment`}
        onSend={(text) => comments.begin(text)}
        onCancel={close}
      />
    </Card>
  );
}

/** Card with the comments of a thread, a field for a reply, and the button that resolves the thread. */
export function ThreadCard({ thread, at }: { thread: Thread; at: Point }) {
  const editor = useEditor();
  const { comments } = editor;
  const { first, number } = thread;
  useMarkRead(thread);
  const list = useRef<HTMLUListElement>(null);
  const count = thread.comments.length;
  useEffect(() => {
    if (count > 0 && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [count]);
  const close = () => {
    comments.close();
    editor.focus();
  };
  return (
    <Card at={at} label={t`Thread ${{ number }}`}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {first.resolved ? t`Resolved by ${{ name: first.resolved_by ?? "" }}` : t`Thread ${{ number }}`}
        </Text>
        <Group gap={4} wrap="nowrap">
          {comments.mayWrite && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Check size={12} />}
              onClick={() => comments.resolve(first.uuid, !first.resolved)}
            >
              {first.resolved ? t`Reopen` : t`Resolve`}
            </Button>
          )}
          <ActionIcon size="sm" variant="subtle" color="gray" aria-label={t`Close thread`} onClick={close}>
            <X size={14} />
          </ActionIcon>
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
      <ul className={classes.comments} ref={list} tabIndex={0} aria-label={t`Comments`}>
        {thread.comments.map((comment) => (
          <CommentItem key={comment.uuid} comment={comment} />
        ))}
      </ul>
      {comments.mayWrite && (
        <CommentField
          draft={draftKeys.reply(first.uuid)}
          label={t`Reply`}
          action={t`Reply`}
          onSend={(text) => comments.reply(first.uuid, text)}
        />
      )}
    </Card>
  );
}

function CommentItem({ comment }: { comment: Comment }) {
  const { comments, parts } = useEditor();
  const isOwner = useDocument((state) => state.permissions.dataset.owner);
  const [isChanging, setChanging] = useState(false);
  const { creator, created_at, edited_at, text, uuid } = comment;
  const isMine = parts.username === null || creator === parts.username;
  const color = colorOfName(creator);
  const remove = () => {
    const restore = comments.delete(comment);
    const action = { label: t`Restore`, onClick: restore, endsWithImage: true };
    parts.notify("info", t`Comment deleted`, text.slice(0, 100), action);
  };
  return (
    <li className={classes.comment}>
      <span className={classes.avatar} style={{ background: color, color: textColorOn(color) }} aria-hidden>
        {initialsOf(creator)}
      </span>
      <span className={classes.who}>
        <bdi>{creator}</bdi>
        <span className={classes.when}>
          <AgoTime iso={created_at} />
          {edited_at && ` · ${t`edited`}`}
        </span>
      </span>
      {comments.mayWrite && (isMine || isOwner) && !isChanging ? (
        <Menu position="bottom-end" withinPortal={false}>
          <Menu.Target>
            <ActionIcon size="sm" variant="subtle" color="gray" aria-label={t`Comment of ${{ name: creator }}`}>
              <EllipsisVertical size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isMine && <Menu.Item onClick={() => setChanging(true)}>{t`Edit`}</Menu.Item>}
            <Menu.Item color="red" onClick={remove}>
              {t`Delete`}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        <span />
      )}
      {isChanging ? (
        <div className={classes.text}>
          <CommentField
            draft={draftKeys.changed(uuid)}
            initial={text}
            label={t`Edit comment`}
            action={t`Save`}
            onSend={(changed) => {
              setChanging(false);
              if (changed !== text) comments.rewrite(uuid, changed);
            }}
            onCancel={() => setChanging(false)}
          />
        </div>
      ) : (
        <CommentText text={text} />
      )}
    </li>
  );
}

/** A comment's text, with the names of mentioned users marked. */
function CommentText({ text }: { text: string }) {
  const { username } = useEditor().parts;
  const { owner, users } = useDocument((state) => state.dataset);
  const names = [owner, username, ...users].filter((name) => name !== null);
  return (
    <p className={classes.text} dir="auto">
      {splitMentions(text, names).map((piece, i) =>
        piece.mention ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
          <span key={i} className={classes.mention}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </p>
  );
}
