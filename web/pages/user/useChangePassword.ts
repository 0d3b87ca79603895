import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { changePassword, login } from "../../../shared/api/accounts/user";
import { isOutcomeUnknown, request } from "../../io/http/request";
import { retryWhileUnreachable } from "../../io/http/retryWhileUnreachable";
import { sessionSignal } from "../../io/http/sessionCalls";
import { connect, disconnect } from "../../io/live/connection";
import { TOKENS_KEY } from "../../queries/keys";
import { useSession } from "../../queries/session";

interface PasswordChange {
  password: string;
  newPassword: string;
  confirm: string;
  endTokens: boolean;
}

/**
 * Changes the password. Ends all other sessions of the user and, with `endTokens`, revokes all API tokens. The response
 * has the cookie of a new session, so the call cannot be repeated after its response was lost: instead logs in with the
 * new password, and repeats the call only if the server does not know that password.
 */
export function useChangePassword() {
  const client = useQueryClient();
  const { user } = useSession();
  /** The new password of a change whose outcome is unknown. */
  const unsure = useRef<string>(undefined);
  return useMutation({
    mutationFn: async ({ password, newPassword, confirm, endTokens }: PasswordChange) => {
      const session = sessionSignal();
      const body = { password, new_password: newPassword, confirm_password: confirm, end_tokens: endTokens };
      const change = async () => {
        session.throwIfAborted();
        if (unsure.current === newPassword && (await canLogIn(user.username, newPassword))) return;
        unsure.current = newPassword;
        await request(changePassword, { body }, { isSentOnce: true }).catch((failure: unknown) => {
          if (!isOutcomeUnknown(failure)) unsure.current = undefined;
          throw failure;
        });
      };
      // The server closes all live connections of the user. Disconnecting first keeps this from counting as a lost
      // connection.
      disconnect();
      try {
        await retryWhileUnreachable(change, { tries: 2, pause: 1_000 });
        unsure.current = undefined;
      } finally {
        connect();
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS_KEY }),
  });
}

/** Logs in with a password. Returns false if the server refuses it, and throws if its response is unknown. */
async function canLogIn(username: string, password: string): Promise<boolean> {
  try {
    await request(login, { body: { username, password } });
    return true;
  } catch (error) {
    if (isOutcomeUnknown(error)) throw error;
    return false;
  }
}
