import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { LIST_LIMITS } from "../../../shared/constants";
import { useAccounts } from "../../queries/accounts";
import { shownOf } from "../../queries/queryState";

interface Props extends Omit<AutocompleteProps, "data" | "limit"> {
  /** A username that is not offered. */
  except?: string;
}

/** Input for the username of a dataset's new owner. The oldest accounts are suggested; any other may be typed. */
export function HeirField({ except, ...field }: Props) {
  const accounts = useAccounts(LIST_LIMITS[0], 1);
  const users = shownOf(accounts)?.data.users;
  const names = users?.map(({ username }) => username).filter((name) => name !== except);
  return <Autocomplete {...field} data={names} limit={20} aria-busy={accounts.state === "loading"} />;
}
