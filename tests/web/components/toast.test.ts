// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { expect, it } from "vitest";
import { hideFailures, showFailure, showSuccess } from "../../../web/components/toast";

it("hides how something failed before, and no other message", () => {
  notifications.clean();
  showFailure("User Login", "Could not authenticate user");
  showFailure("User Login", "The server cannot be reached.");
  showFailure("User", "Invalid user id");
  showSuccess("User Login", "Welcome");
  hideFailures("User Login");
  const left = notificationsStore.getState().notifications.map(({ message }) => message);
  expect(left).toEqual(["Invalid user id", "Welcome"]);
});
