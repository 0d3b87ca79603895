import { useInstallationName } from "../../queries/session";

/** Window title: the page's subject, then the installation's name. */
export function PageTitle({ children }: { children: string }) {
  const name = useInstallationName();
  return <title>{`${children} · ${name}`}</title>;
}
