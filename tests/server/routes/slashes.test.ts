import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../../shared/api";
import { openEither, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/** Clients write paths with and without the trailing slash; a redirect would lose a body. */
describe("the slash at the end of a path", () => {
  let database: TestDatabase;
  let server: TestServer;
  let admin: TestUser;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    admin = await server.user("root", { admin: true });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const roots = calls.filter(({ path, method }) => !path.includes("{") && method === "GET");

  for (const { path } of roots.filter(({ path }) => path !== "/user/logout"))
    test(`${path} returns the same with and without the trailing slash`, async () => {
      const bare = path.slice(1).replace(/\/$/, "");
      const [without, withSlash] = [await admin.get(bare), await admin.get(`${bare}/`)];
      expect(without.status).toBe(200);
      expect(withSlash.status).toBe(200);
      const still = ({ time_ms: _, ...body }: Record<string, unknown>) => body;
      expect(still(withSlash.body)).toEqual(still(without.body));
    });

  test("bodies arrive either way", async () => {
    for (const end of ["", "/"]) {
      const dataset = await admin.post(`dataset${end}`, { name: `made by dataset${end || " "}x` });
      expect(dataset.body).toMatchObject({ id: expect.any(Number) });
      const path = `dataset/${dataset.body.id}`;
      expect((await admin.post(`${path}${end}`, { default_annotation_metadata: { by: "x" } })).status).toBe(200);
      const category = await admin.post(`category${end}`, { name: `made by category${end}` });
      expect(category.body).toMatchObject({ name: `made by category${end}` });
      const user = { username: `made${end.length}`, password: "secret" };
      expect((await admin.post(`admin/user${end}`, user)).body).toMatchObject({ user: { username: user.username } });
      expect(
        (await admin.request("PATCH", `admin/user/${user.username}${end}`, { json: { name: "N" } })).body,
      ).toMatchObject({
        name: "N",
      });
      expect((await admin.delete(`undo${end}?id=0&instance=image`)).status).toBe(404);
      expect((await admin.post(`annotation${end}`, {})).body).toMatchObject({
        errors: { image_id: expect.any(String) },
      });
      const form = new FormData();
      form.append("image", new Blob(["no image"]), "a.png");
      expect((await admin.request("POST", `image${end}`, { body: form })).body).toMatchObject({
        errors: { dataset_id: expect.any(String) },
      });
    }
  });

  test("no path of the API returns a redirect", async () => {
    for (const { path, method } of calls)
      for (const end of ["", "/", "//"]) {
        const address =
          path
            .replaceAll(/\{\w+\}/g, "0")
            .replace(/\/$/, "")
            .slice(1) + end;
        const { status } = await server.visitor().request(method, address);
        expect(status, `${method} ${address}`).not.toBe(301);
        expect(status, `${method} ${address}`).not.toBe(302);
        expect(status, `${method} ${address}`).not.toBe(308);
        expect(status, `${method} ${address}`).toBeLessThan(500);
      }
  });
});
