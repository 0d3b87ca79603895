import { useInstallationName } from "../../queries/session";

/** The window's title: what the page is about, then the installation's name. */
export function PageTitle({ children }: { children: string }) {
  const name = useInstallationName();
  return <title>{`${children} · ${name}`}</title>;
}
