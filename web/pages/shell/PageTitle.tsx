import { useQuery } from "@tanstack/react-query";
import { infoQuery } from "../../queries/session";

/** The window's title: what the page is about, then the installation's name. */
export function PageTitle({ children }: { children: string }) {
  const { data } = useQuery({ ...infoQuery, enabled: false });
  return <title>{`${children} · ${data?.name ?? "Limn"}`}</title>;
}
