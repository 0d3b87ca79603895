import { type SqlBool, sql } from "kysely";
import {
  createUser,
  deleteUser,
  getAccount,
  giveDataset as giveCall,
  listOrphans,
  listUsers,
  updateUser,
} from "../../../shared/api/accounts/admin";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import { containsText } from "../../db/rows/containsText";
import {
  accountById,
  accountDocument,
  accountNamed,
  accounts,
  accountsWithDatasets,
} from "../../features/accounts/account";
import { createAccount } from "../../features/accounts/createAccount";
import { deleteAccount } from "../../features/accounts/deleteAccount";
import { giveDataset } from "../../features/accounts/giveDataset";
import { updateAccount } from "../../features/accounts/updateAccount";
import { isNoCopy } from "../../features/consensus/copies/copies";
import { type Route, route } from "../http/route";

const MAX_ORPHANS = 1000;

export const adminRoutes: Route[] = [
  route(listUsers, async ({ query, services: { db } }) => {
    const { search = "" } = query;
    const isFound = sql<SqlBool>`(${containsText("users.username", search)} or ${containsText("users.name", search)})`;
    const { total } = await accounts(db)
      .$if(search !== "", (all) => all.where(isFound))
      .select((eb) => eb.fn.countAll<string>().as("total"))
      .executeTakeFirstOrThrow();
    const { pages, page, start } = pageOf(query.page, query.limit, Number(total));
    const rows = await accountsWithDatasets(db)
      .$if(search !== "", (all) => all.where(isFound))
      .orderBy("users.id")
      .offset(start)
      .limit(query.limit)
      .execute();
    return { users: rows.map(accountDocument), total: Number(total), pages, page: page - 1, per_page: query.limit };
  }),

  route(createUser, async ({ body, user, services }) => {
    return { success: true, user: accountDocument(await createAccount(services, user, body)) };
  }),

  route(getAccount, async ({ params, services: { db } }) => {
    const { id } = await accountNamed(db, params.username);
    return accountDocument(await accountById(db, id));
  }),

  route(updateUser, async ({ params, body, user, services }) =>
    accountDocument(await updateAccount(services, user, params.username, body)),
  ),

  route(deleteUser, async ({ params, query, user, services }) => {
    await deleteAccount(services, user, params.username, query);
    return { success: true };
  }),

  route(listOrphans, async ({ services: { db } }) => {
    const datasets = await db
      .selectFrom("datasets")
      .select(["id", "name"])
      .where("owner_id", "is", null)
      .where("deleted_at", "is", null)
      .where(isNoCopy)
      .orderBy("id")
      .limit(MAX_ORPHANS)
      .execute();
    return { datasets };
  }),

  route(giveCall, async ({ params, body, services: { db, live } }) => {
    const former = await giveDataset(db, params.id, body);
    if (former !== null) {
      live.leaveDataset(former, params.id);
      live.notifyWork(params.id, [former], "assignments");
    }
    return { success: true };
  }),
];
