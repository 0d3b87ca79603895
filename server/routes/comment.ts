import { countUnreadComments, listImageComments, listThreads, markCommentsRead } from "../../shared/api/comments";
import { countUnread } from "../features/comments/countUnread";
import { listThreads as threadsSeenBy } from "../features/comments/listThreads";
import { imageComments, markRead } from "../features/comments/readComments";
import { type Route, route } from "./http/route";

export const commentRoutes: Route[] = [
  route(listImageComments, ({ params, user, services: { db } }) => imageComments(db, user, params.id)),

  route(listThreads, ({ query, user, services: { db } }) => threadsSeenBy(db, user, query)),

  route(countUnreadComments, ({ user, services: { db } }) => countUnread(db, user)),

  route(markCommentsRead, async ({ body, user, services: { db } }) => {
    await markRead(db, user, body);
    return { success: true };
  }),
];
