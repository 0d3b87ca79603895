import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createToken, listTokens, revokeToken } from "../../../shared/api/accounts/token";
import { request } from "../../io/http/request";
import { TOKENS_KEY } from "../keys";
import { useQueryState } from "../queryState";

export const useTokens = () =>
  useQueryState({ queryKey: TOKENS_KEY, queryFn: ({ signal }) => request(listTokens, {}, { signal }) });

/** Creates a token. `gcTime` 0 drops the response, which holds the secret, together with the form that shows it. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; expires_in_days: number | null }) => request(createToken, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS_KEY }),
    gcTime: 0,
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(revokeToken, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: TOKENS_KEY }),
  });
}
