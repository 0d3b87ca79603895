import { expect, it } from "vitest";
import { errorOfResponse } from "../../../../shared/api/protocol/requestError";

const errorOf = (body: unknown) => errorOfResponse("Deleting Images", 409, JSON.stringify(body), null);

it("an error keeps the code and the numbers that clients react to", () => {
  const error = errorOf({ message: "2 fit.", code: "total_changed", facts: { total: 2, who: "bob" } });
  expect(error).toMatchObject({ message: "2 fit.", code: "total_changed", facts: { total: 2 } });
});

it("an unknown code and unknown facts are ignored", () => {
  for (const body of [{}, { code: "toString" }, { code: 7, facts: "many" }, { facts: null }])
    expect(errorOf(body)).toMatchObject({ code: null, facts: {} });
});
