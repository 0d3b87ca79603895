// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { isValidElement } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import {
  hideFailures,
  showFailure,
  showSuccess,
  showWarning,
  showWithAction,
} from "../../../../web/components/messages/toast";
import { endSessionCalls } from "../../../../web/io/http/sessionCalls";

beforeEach(() => notifications.clean());
const shown = () => notificationsStore.getState().notifications;

it("hides the previous failure of the same command, and no other message", () => {
  showFailure("User Login", "Could not authenticate user");
  showFailure("User Login", "The server cannot be reached.");
  showFailure("User", "Invalid user id");
  showSuccess("User Login", "Welcome");
  hideFailures("User Login");
  expect(shown().map(({ message }) => message)).toEqual(["Invalid user id", "Welcome"]);
});

it("shows a warning once while it is visible, however often it is repeated", () => {
  for (let i = 0; i < 3; i++) showWarning("No keypoints to place", "cup has no keypoints.");
  showWarning("No keypoints to place", "bowl has no keypoints.");
  expect(shown().map(({ message }) => message)).toEqual(["cup has no keypoints.", "bowl has no keypoints."]);
});

it("removes undo messages when the session ends, and no other message", () => {
  showSuccess("Exporting COCO", "The export is ready on the Exports tab.");
  showWithAction("Deleting Images", "1 image was deleted.", { label: "Undo", onClick: () => undefined });
  expect(shown()).toHaveLength(2);
  endSessionCalls();
  expect(shown().map(({ title }) => title)).toEqual(["Exporting COCO"]);
});

it("acts once, however often the button is pressed while the message fades out", () => {
  const handleUndo = vi.fn();
  showWithAction("Deleting Images", "1 image was deleted.", { label: "Undo", onClick: handleUndo });
  const [toast] = shown();
  const message = toast?.message;
  if (!isValidElement<{ onAct: () => void }>(message)) throw new Error("The message has no button.");
  message.props.onAct();
  message.props.onAct();
  expect(handleUndo).toHaveBeenCalledTimes(1);
});
