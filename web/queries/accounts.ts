import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import { createUser, deleteUser, giveDataset, listOrphans, listUsers, updateUser } from "../../shared/api/admin";
import { request } from "../io/http/request";
import { useAnswer } from "./answer";
import { ACCOUNTS_KEY, DATASETS_KEY, INFO_KEY, USER_KEY } from "./keys";

/** For admins. `page` is 1-based. */
export const useAccounts = (limit: number, page: number) =>
  useAnswer({
    queryKey: [...ACCOUNTS_KEY, limit, page],
    queryFn: ({ signal }) => request(listUsers, { query: { limit, page } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Datasets of deleted accounts. */
export const useOrphans = () =>
  useAnswer({
    queryKey: [...ACCOUNTS_KEY, "orphans"],
    queryFn: ({ signal }) => request(listOrphans, {}, { signal }),
    select: ({ datasets }) => datasets,
    meta: { quiet: true },
  });

/** After accounts have changed; one's own rights may be among it. */
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

/** Changes an account. Absent and empty values stay as they are. */
export function useUpdateAccount(username: string) {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: (body: { name?: string; password?: string; isAdmin?: boolean }) =>
      request(updateUser, { params: { username }, body }),
    onSuccess: refresh,
  });
}

/** Without `heir` the account's datasets are left to the admins. */
export function useDeleteAccount(username: string) {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: (heir: string) => request(deleteUser, { params: { username }, query: heir ? { heir } : {} }),
    onSuccess: refresh,
  });
}

export function useGiveDataset() {
  const refresh = useRefreshAccounts();
  return useMutation({
    mutationFn: ({ id, username }: { id: number; username: string }) =>
      request(giveDataset, { params: { id }, body: { username } }),
    onSuccess: refresh,
  });
}
