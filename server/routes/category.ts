import { sql } from "kysely";
import {
  createCategory as createCall,
  deleteCategory,
  getCategories,
  getCategory,
  listCategories,
  reserveCategoryIds as reserveCall,
  updateCategory as updateCall,
} from "../../shared/api/category";
import { pageOf } from "../../shared/api/protocol/pageOf";
import { isLiveAnnotation } from "../db/rows/annotations";
import { isLiveCategory } from "../db/rows/categories";
import { containsText } from "../db/rows/containsText";
import { categoriesSeenBy, ownedCategory, visibleCategory } from "../features/access/access";
import { categoryDocument, categoryPermissions } from "../features/categories/categoryDocument";
import { createCategory } from "../features/categories/createCategory";
import { notifyCategories } from "../features/categories/notifyCategories";
import { reserveCategoryIds } from "../features/categories/reservedIds";
import { updateCategory } from "../features/categories/updateCategory";
import { type Route, route } from "./http/route";

export const categoryRoutes: Route[] = [
  route(listCategories, async ({ user, services: { db } }) => {
    const rows = await categoriesSeenBy(db, user).selectAll("categories").orderBy("id").execute();
    return rows.map((row) => ({ ...categoryDocument(row), permissions: categoryPermissions(user, row) }));
  }),

  route(getCategories, async ({ query, user, services: { db } }) => {
    const { search = "" } = query;
    const seen = categoriesSeenBy(db, user).$if(search !== "", (all) =>
      all.where(containsText("categories.name", search)),
    );
    const { total } = await seen.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const pagination = pageOf(query.page, query.limit, total);
    const rows = await seen
      .selectAll("categories")
      .select(
        sql<number>`(select count(*) from annotations where category_id = categories.id and ${isLiveAnnotation()})`.as(
          "annotations",
        ),
      )
      .orderBy("id")
      .offset(pagination.start)
      .limit(query.limit)
      .execute();
    const categories = rows.map(({ annotations, ...row }) => ({
      ...categoryDocument(row),
      numberAnnotations: annotations,
      permissions: categoryPermissions(user, row),
    }));
    return { pagination, page: query.page, categories };
  }),

  route(getCategory, async ({ params, user, services: { db } }) =>
    categoryDocument(await visibleCategory(db, user, params.id)),
  ),

  route(createCall, async ({ body, user, services: { db, live } }) => {
    const row = await createCategory(db, user, body);
    if (body.dataset != null) await notifyCategories({ db, live }, [row.id]);
    return categoryDocument(row);
  }),

  route(reserveCall, async ({ body, user, services: { db } }) => ({
    ids: await reserveCategoryIds(db, user, body.count),
  })),

  route(updateCall, async ({ params, body, user, services: { db, live } }) => {
    const { row, changed } = await updateCategory(db, user, params.id, body);
    if (changed) await notifyCategories({ db, live }, [row.id], { client: body.client });
    return { success: true, ...(!changed && { message: "Nothing to update" }), category: categoryDocument(row) };
  }),

  route(deleteCategory, async ({ params, user, services: { db, live } }) => {
    await ownedCategory(db, user, params.id, "You do not have permission to delete this category");
    await db
      .updateTable("categories")
      .set({ deleted_at: new Date(), deleted_by: user.id })
      .where("id", "=", params.id)
      .where(isLiveCategory())
      .execute();
    await notifyCategories({ db, live }, [params.id]);
    return { success: true };
  }),
];
