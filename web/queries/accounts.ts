import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  createUser,
  deleteUser,
  giveDataset,
  listOrphans,
  listUsers,
  updateUser,
} from "../../shared/api/accounts/admin";
import type { Account } from "../../shared/entities/accounts/user";
import { request } from "../io/http/request";
import { totalIn } from "./bulk";
import { ACCOUNTS_KEY, DATASETS_KEY, INFO_KEY, USER_KEY } from "./keys";
import { useQueryState } from "./queryState";

/** Returns one page of all accounts, for admins. `page` is 1-based. */
export const useAccounts = (limit: number, page: number, search: string) =>
  useQueryState({
    queryKey: [...ACCOUNTS_KEY, limit, page, search],
    queryFn: ({ signal }) => request(listUsers, { query: { limit, page, search: search || undefined } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Returns the datasets whose owner's account was deleted. */
export const useOrphans = () =>
  useQueryState({
    queryKey: [...ACCOUNTS_KEY, "orphans"],
    queryFn: ({ signal }) => request(listOrphans, {}, { signal }),
    select: ({ datasets }) => datasets,
    meta: { quiet: true },
  });

/** Returns a function that reloads accounts, and the session: the user's own rights may have changed too. */
function useRefreshAccounts() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [USER_KEY, INFO_KEY, DATASETS_KEY]) void client.invalidateQueries({ queryKey });
    return client.invalidateQueries({ queryKey: ACCOUNTS_KEY });
  };
}

export interface NewAccount {
  username: string;
  password: string;
  name: string;
  isAdmin: boolean;
}

export function useCreateAccount() {
  const refresh = useRefreshAccounts();
  return useMutation({ mutationFn: (body: NewAccount) => request(createUser, { body }), onSuccess: refresh });
}

/** Changes an account. Absent and empty values leave their field unchanged. */
export function useUpdateAccount({ id, username }: Pick<Account, "id" | "username">) {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: (body: { name?: string; password?: string; isAdmin?: boolean }) =>
      request(updateUser, { params: { username }, body: { id, ...body } }),
    onSettled: refresh,
  });
}

/**
 * Deletes an account. `heir` becomes the owner of its datasets; if empty, the datasets have no owner and are left to
 * the admins. `datasets` is the number of datasets that the admin saw; if it differs on the server, nothing is changed
 * (error `total_changed`), and `onTotal` is called with the current number.
 */
export function useDeleteAccount(
  { id, username }: Pick<Account, "id" | "username">,
  onTotal: (datasets: number) => void,
) {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: ({ heir, datasets }: { heir: string; datasets: number }) =>
      request(deleteUser, { params: { username }, query: { id, datasets, ...(heir && { heir }) } }),
    onError: (error) => {
      const total = totalIn(error);
      if (total !== undefined) onTotal(total);
    },
    // On failure too: the account may be gone.
    onSettled: refresh,
  });
}

/** Gives a dataset without an owner to a user. */
export function useGiveDataset() {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: ({ id, username }: { id: number; username: string }) =>
      request(giveDataset, { params: { id }, body: { username, only_if_ownerless: true } }),
    // On failure too: if the dataset has an owner now, the list is out of date.
    onSettled: refresh,
  });
}
