import { plural, t } from "@lingui/core/macro";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { type Thread, unreadIn } from "../../comments/threads";
import { useComments, useDocument, useEditor, usePast } from "../../editor/context";
import classes from "./Comments.module.css";
import { NewThreadCard, ThreadCard } from "./ThreadCard";
import { useReadMarks } from "./useReadMarks";
import { useThreads } from "./useThreads";

/** Pins of the image's threads above the canvas, the open thread, and the cover that takes the place of a new one. */
export function CommentLayer() {
  const hasComments = useDocument((state) => state.comments.size > 0);
  const isBusy = useComments(({ isPlacing, begun }) => isPlacing || begun !== null);
  const isPast = usePast((state) => state.moment !== null);
  return (hasComments || isBusy) && !isPast ? <Layer /> : null;
}

function Layer() {
  const { comments, parts, view } = useEditor();
  useReadMarks();
  const threads = useThreads();
  const { isPlacing, begun, open, showsResolved, continued, read } = useComments((state) => state);
  // The pins follow the view, and the shapes that they are on.
  useStore(view.store);
  useDocument((state) => state.annotations);
  const opened = threads.find(({ first }) => first.uuid === open);
  const shown = threads.filter(({ first }) => !first.resolved || showsResolved || first.uuid === open);
  return (
    <div className={classes.layer}>
      {isPlacing && <Cover />}
      {shown.map((thread) => (
        <Pin
          key={thread.first.uuid}
          thread={thread}
          isOpen={thread === opened}
          unread={read ? unreadIn(thread, parts.username, read.get(thread.first.uuid)) : 0}
        />
      ))}
      {opened && (
        <ThreadCard
          key={`${opened.first.uuid} ${continued}`}
          thread={opened}
          at={view.toScreen(comments.placeOf(opened.first))}
        />
      )}
      {begun && (
        <>
          <span
            className={classes.pin}
            data-new
            style={positionOf(view.toScreen(comments.placeOf(begun)))}
            aria-hidden
          />
          <NewThreadCard key={continued} at={view.toScreen(comments.placeOf(begun))} />
        </>
      )}
    </div>
  );
}

const positionOf = ({ x, y }: { x: number; y: number }) => ({ left: x, top: y });

interface PinProps {
  thread: Thread;
  isOpen: boolean;
  unread: number;
}

function Pin({ thread: { first, comments: all, number }, isOpen, unread }: PinProps) {
  const { comments, view } = useEditor();
  const count = plural(all.length, { one: "# comment", other: "# comments" });
  const state = first.resolved ? t`resolved` : unread > 0 ? t`unread` : "";
  return (
    <button
      type="button"
      className={classes.pin}
      style={positionOf(view.toScreen(comments.placeOf(first)))}
      data-resolved={first.resolved || undefined}
      data-open={isOpen || undefined}
      data-unread={unread > 0 || undefined}
      aria-expanded={isOpen}
      aria-label={[t`Thread ${{ number }}`, count, state].filter(Boolean).join(", ")}
      onClick={() => (isOpen ? comments.close() : comments.show(first.uuid))}
    >
      {number}
    </button>
  );
}

/** Covers the canvas while the next click begins a thread. Enter begins it in the middle of the view. */
function Cover() {
  const editor = useEditor();
  const { comments, view } = editor;
  const cover = useRef<HTMLDivElement>(null);
  useEffect(() => cover.current?.focus(), []);
  const handleUp = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    comments.placeAt(view.toImage({ x: event.clientX - box.left, y: event.clientY - box.top }));
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const { width, height } = view.canvasSize;
    if (event.key === "Enter") return comments.placeAt(view.toImage({ x: width / 2, y: height / 2 }));
    comments.stopPlacing();
    editor.focus();
  };
  return (
    <div
      ref={cover}
      className={classes.cover}
      role="application"
      aria-label={t`Place of the comment`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: role application handles keys
      tabIndex={0}
      onPointerUp={handleUp}
      onKeyDown={handleKey}
    >
      <div className={classes.hint}>{t`Click a place or a shape to comment on it. Escape cancels.`}</div>
    </div>
  );
}
