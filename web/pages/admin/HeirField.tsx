import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { LIST_LIMITS } from "../../../shared/constants";
import { useAccounts } from "../../queries/accounts";
import { shownOf } from "../../queries/queryState";

interface Props extends Omit<AutocompleteProps, "data" | "limit"> {
  /** Username to leave out of the suggestions. */
  except?: string;
}

/** Input for the username of a dataset's new owner. Suggests the oldest accounts; any other username can be typed. */
export function HeirField({ except, ...field }: Props) {
  const accounts = useAccounts(LIST_LIMITS[0], 1, "");
  const users = shownOf(accounts)?.data.users;
  const names = users?.map(({ username }) => username).filter((name) => name !== except);
  return <Autocomplete {...field} data={names} limit={20} aria-busy={accounts.state === "loading"} />;
}
