import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listImageComments, markCommentsRead } from "../../../../shared/api/comments";
import { request } from "../../../io/http/request";
import { COMMENTS_KEY } from "../../../queries/keys";
import type { Thread } from "../../comments/threads";
import { unreadIn } from "../../comments/threads";
import { useComments, useEditor } from "../../editor/context";

/** Loads which threads of the image the user has read. Without a server no comment is shown as unread. */
export function useReadMarks(): void {
  const { comments, document, parts } = useEditor();
  const isKnown = useComments(({ read }) => read !== null);
  useEffect(() => {
    if (isKnown || parts.username === null) return;
    const abort = new AbortController();
    request(listImageComments, { params: { id: document.state.image.id } }, { signal: abort.signal }).then(
      ({ read }) => comments.setRead(new Map(read.map(({ thread, until }) => [thread, until]))),
      () => undefined,
    );
    return () => abort.abort();
  }, [isKnown, comments, document, parts]);
}

/** Marks the comments of a thread as read while it is shown. */
export function useMarkRead(thread: Thread): void {
  const { comments, parts } = useEditor();
  const client = useQueryClient();
  const read = useComments((state) => state.read);
  const { uuid } = thread.first;
  const until = thread.comments.at(-1)?.created_at ?? "";
  const isUnread = read !== null && unreadIn(thread, parts.username, read.get(uuid)) > 0;
  useEffect(() => {
    if (!isUnread) return;
    request(markCommentsRead, { body: { thread: uuid, until } }).then(
      () => {
        comments.setRead(new Map([[uuid, until]]));
        void client.invalidateQueries({ queryKey: COMMENTS_KEY });
      },
      () => undefined,
    );
  }, [isUnread, uuid, until, comments, client]);
}
