import { ActionIcon, Menu } from "@mantine/core";
import { Menu as MenuIcon } from "lucide-react";
import { Link, NavLink } from "react-router-dom";
import { usePageLink } from "../../components/pageLink";
import { useInfo } from "../../queries/session";
import { ConnectionDot } from "./ConnectionDot";
import classes from "./Navbar.module.css";
import { SchemeToggle } from "./SchemeToggle";
import { TaskIndicator } from "./TaskIndicator";
import { UserMenu } from "./UserMenu";

/** The top bar: who and which version this is, where one can go, what the server is doing, who is logged in. */
export function Navbar() {
  const { data: info } = useInfo();
  const pageLink = usePageLink();
  const links = [
    { to: "/datasets", label: "Datasets" },
    ...(pageLink ? [pageLink] : []),
    { to: "/categories", label: "Categories" },
    { to: "/tasks", label: "Tasks" },
  ];
  const help = info?.help_url;
  return (
    <header className={classes.bar}>
      <ConnectionDot />
      <Link to="/" className={classes.brand}>
        {info?.name ?? "Limn"}
        <sub className={classes.version}>{info?.version || info?.git.tag || "unknown"}</sub>
      </Link>
      <nav className={classes.links} aria-label="Main">
        {links.map(({ to, label }) => (
          <NavLink key={to} to={to} className={classes.link} title={label}>
            {label}
          </NavLink>
        ))}
        {help && (
          <a href={help} target="_blank" rel="noreferrer" className={classes.link}>
            Help
          </a>
        )}
      </nav>
      <div className={classes.space} />
      <TaskIndicator />
      <SchemeToggle />
      <UserMenu />
      <div className={classes.small}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label="Pages">
              <MenuIcon size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {links.map(({ to, label }) => (
              <Menu.Item key={to} component={Link} to={to}>
                {label}
              </Menu.Item>
            ))}
            {help && (
              <Menu.Item component="a" href={help} target="_blank" rel="noreferrer">
                Help
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
