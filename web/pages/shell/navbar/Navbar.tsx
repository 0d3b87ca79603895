import { t } from "@lingui/core/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { Menu as MenuIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, NavLink } from "react-router-dom";
import { lazyOrNothing } from "../../../components/late/lazyOrNothing";
import { loadLate } from "../../../components/late/loadLate";
import { usePageLink } from "../../../components/pageLink";
import { baseUrl } from "../../../io/http/url";
import { useInfo, useInstallationName, useSession } from "../../../queries/session";
import { ConnectionDot } from "./ConnectionDot";
import classes from "./Navbar.module.css";
import { SchemeToggle } from "./SchemeToggle";
import { TaskIndicator } from "./TaskIndicator";
import { UnreadComments } from "./UnreadComments";
import { UserMenu } from "./UserMenu";

/** Loaded late, as no page waits for it. */
const TeamWatch = lazyOrNothing(() => loadLate(async () => (await import("./TeamWatch")).TeamWatch));

/** The top bar: connection, name and version, links, `state` of offline work, tasks, colour scheme and user menu. */
export function Navbar({ state }: { state: ReactNode }) {
  const { user } = useSession();
  const name = useInstallationName();
  const info = useInfo();
  const pageLink = usePageLink();
  const [isInTeam, setInTeam] = useState(false);
  const links = [
    { to: "/datasets", label: t`Datasets` },
    ...(isInTeam ? [{ to: "/work", label: t`My Work` }] : []),
    { to: "/categories", label: t`Categories` },
    { to: "/undo", label: t({ message: "Undo", context: "page of deleted items" }) },
    { to: "/tasks", label: t`Tasks` },
    ...(user.is_admin ? [{ to: "/admin/panel", label: t`Admin` }] : []),
  ];
  // The built-in guide is used until the server's help URL is known.
  const help = (info.state === "loaded" && info.data.help_url) || new URL("help", baseUrl()).href;
  // Opened in new windows, so that work in this one is not interrupted.
  const external = [
    { href: new URL("api", baseUrl()).href, label: t`API` },
    { href: help, label: t`Help` },
  ];
  return (
    <header className={classes.bar}>
      <TeamWatch onChange={setInTeam} />
      <ConnectionDot />
      <Link to="/" className={classes.brand}>
        {name}
        <sub className={classes.version}>
          {info.state === "loaded" && info.data.version}
          {info.state === "failed" && t`unknown`}
        </sub>
      </Link>
      <nav className={classes.links} aria-label={t`Main`}>
        {links.map(({ to, label }) => (
          <NavLink key={to} to={to} className={classes.link} title={label}>
            {label}
          </NavLink>
        ))}
        {external.map(({ href, label }) => (
          <a key={label} href={href} target="_blank" rel="noreferrer" className={classes.link}>
            {label}
          </a>
        ))}
        {/* Last, because it arrives after the others and must not move them. */}
        {pageLink && (
          <NavLink to={pageLink.to} className={classes.link} title={pageLink.label} data-page>
            {pageLink.label}
          </NavLink>
        )}
      </nav>
      <div className={classes.offline} role="status">
        {state}
      </div>
      <UnreadComments />
      <TaskIndicator />
      <SchemeToggle />
      <UserMenu />
      <div className={classes.small}>
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t`Pages`}>
              <MenuIcon size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {(pageLink ? [...links, pageLink] : links).map(({ to, label }) => (
              <Menu.Item key={to} component={Link} to={to}>
                {label}
              </Menu.Item>
            ))}
            {external.map(({ href, label }) => (
              <Menu.Item key={label} component="a" href={href} target="_blank" rel="noreferrer">
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
