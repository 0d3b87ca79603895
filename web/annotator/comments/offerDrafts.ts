import { t } from "@lingui/core/macro";
import type { AnnotatorDocument } from "../document/document";
import type { Notify } from "../document/ports";
import type { Draft, DraftStore } from "../preferences/draftStore";
import { type Comments, draftKeys, type ThreadPlace } from "./Comments";

interface Ports {
  document: AnnotatorDocument;
  comments: Comments;
  drafts: DraftStore;
  notify: Notify;
}

/** Longest part of a text that a message shows. */
const SHOWN = 100;

/**
 * Offers to continue unsent comments that no field shows any more: the beginning of a thread when the image is opened
 * again, and an answer or a changed text once another user has deleted the comment. Returns a function that stops this.
 */
export function offerDrafts({ document, comments, drafts, notify }: Ports): () => void {
  const offered = new Set<string>();
  const offer = (key: string, text: string, title: string, goOn: () => void) => {
    if (offered.has(key)) return;
    offered.add(key);
    notify("info", title, text.slice(0, SHOWN), { label: t`Continue`, endsWithImage: true, onClick: goOn });
  };
  const offerLost = () => {
    for (const [key, draft] of drafts.all()) {
      const home = homeOf(document, key, draft);
      if (!home) continue;
      offer(key, draft.text, t`The comment was deleted, but not your text`, () => {
        drafts.set(key, null);
        if (home.thread === null) comments.continueAt(home.place, draft.text);
        else comments.continueReply(home.thread, draft.text);
      });
    }
  };
  const begun = drafts.all().get(draftKeys.begun);
  if (begun?.place) {
    const { place, text } = begun;
    offer(draftKeys.begun, text, t`You have not sent this comment yet`, () => comments.continueAt(place, text));
  }
  offerLost();
  return document.listen(({ origin }) => origin === "remote" && offerLost());
}

/** Returns where a text belongs whose comment or thread is deleted; undefined for others. */
function homeOf(
  document: AnnotatorDocument,
  key: string,
  { place: known }: Draft,
): { thread: string | null; place: ThreadPlace } | undefined {
  const { comments } = document.state;
  const comment = comments.get(key.slice(key.indexOf(":") + 1));
  const thread = comment?.thread ?? comment?.uuid;
  const first = thread === undefined ? undefined : comments.get(thread);
  if (!comment || !first || thread === undefined) return undefined;
  const isLive = [...comments.values()].some((each) => !each.deleted && (each.thread ?? each.uuid) === thread);
  const isReply = key.startsWith(draftKeys.reply(""));
  if (isReply ? isLive : !comment.deleted) return undefined;
  const { x, y, annotation, box } = first;
  return { thread: isLive ? thread : null, place: known ?? { x, y, annotation, box } };
}
