import { expect, it } from "vitest";
import { authPath } from "../../../../web/io/http/authPath";

it("remembers the requested page, with the datasets page as the default", () => {
  expect(authPath("/annotate/5?folder=a b")).toBe("/auth?redirect=%2Fannotate%2F5%3Ffolder%3Da%20b");
  expect(authPath("/datasets")).toBe("/auth");
});
