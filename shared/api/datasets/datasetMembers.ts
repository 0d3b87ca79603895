import { z } from "zod";
import { member, memberRole } from "../../entities/member";
import { text } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { idInPath } from "../protocol/inputs";
import { success } from "../protocol/outputs";

const params = z.object({ id: idInPath });
const usernames = z.array(text(100)).max(10_000);

export const shareDataset = declare({
  method: "POST",
  path: "/dataset/{id}/share",
  title: "Sharing Dataset",
  access: "user",
  summary:
    "Set the users a dataset is shared with: `users` replaces the list, `add` and `remove` change it; `roles` sets roles by username",
  params,
  body: z
    .object({
      users: usernames.optional(),
      add: usernames.optional(),
      remove: usernames.optional(),
      /** Members who are not named keep their roles, and new members become annotators. */
      roles: z.record(text(100), memberRole).optional(),
    })
    .refine(({ users, add, remove }) => users === undefined || (add === undefined && remove === undefined), {
      message: "Send users, or add and remove",
      path: ["users"],
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      message: "Send users, or add, remove and roles",
      path: ["users"],
    }),
  output: success,
});

export const leaveDataset = declare({
  method: "POST",
  path: "/dataset/{id}/leave",
  title: "Leaving Dataset",
  access: "user",
  summary: "End your membership of a dataset; 400 if you are its owner or no member",
  params,
  output: success,
});

export const findPossibleMembers = declare({
  method: "GET",
  path: "/dataset/{id}/share",
  title: "Sharing Dataset",
  access: "user",
  summary: "Find usernames that begin with `begin` and that the dataset is not yet shared with, at most ten",
  params,
  query: z.object({ begin: text(100).min(1) }),
  output: z.array(z.string()),
});

export const listMembers = declare({
  method: "GET",
  path: "/dataset/{id}/users",
  title: "Loading Members",
  access: "user",
  summary: "List a dataset's owner and members",
  params,
  output: z.array(member),
});
