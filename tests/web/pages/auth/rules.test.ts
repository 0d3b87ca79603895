import { expect, it } from "vitest";
import { confirmError, passwordError, requiredError, usernameError } from "../../../../web/pages/auth/rules";

it("accepts letters, digits, underscore, dot and hyphen as a username", () => {
  expect(usernameError("Ada_L.1-x")).toBeNull();
  for (const bad of ["", "ada lovelace", "ada@x", "ädä", "<b>", "..", "."])
    expect(usernameError(bad)).toBe("Invalid username format");
  expect(usernameError("a".repeat(26))).toBe("At most 25 characters.");
});

it("requires a password of the server's minimum length, and the same password twice", () => {
  expect(passwordError(5)("1234")).toBe("Minimum length of 5 characters.");
  expect(passwordError(5)("12345")).toBeNull();
  expect(passwordError(12)("12345")).toBe("Minimum length of 12 characters.");
  expect(confirmError("a", { password: "b" })).not.toBeNull();
  expect(confirmError("b", { password: "b" })).toBeNull();
  expect(requiredError("")).not.toBeNull();
});
