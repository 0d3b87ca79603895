import { t } from "@lingui/core/macro";
import { Menu, Text, UnstyledButton } from "@mantine/core";
import { ChevronDown, LogOut, MonitorDown, Settings, Users } from "lucide-react";
import { lazy, Suspense, useRef, useState, useSyncExternalStore } from "react";
import { Link, useNavigate } from "react-router-dom";
import { canInstall, installApp, subscribeInstall } from "../../../io/installApp";
import { ownerOf, useInfo, useLogout, useSession } from "../../../queries/session";
import { findWarnings } from "./findWarnings";
import classes from "./UserMenu.module.css";

const LogoutQuestion = lazy(async () => ({ default: (await import("./LogoutQuestion")).LogoutQuestion }));

/** Losses that a user is asked about before a logout. */
interface Question {
  userId: number;
  warnings: readonly string[];
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Menu with the user's name, settings, the admin panel for admins, and logout. Hidden if login is disabled. Logging
 * out asks first if unsent work would be lost.
 */
export function UserMenu() {
  const info = useInfo();
  const session = useSession();
  const [question, setQuestion] = useState<Question>();
  const logout = useLogout();
  const isLeaving = useRef(false);
  const navigate = useNavigate();
  const isInstallable = useSyncExternalStore(subscribeInstall, canInstall);
  if (session.user.anonymous || (info.state === "loaded" && !info.data.login_enabled)) return null;

  const { id: userId, username } = session.user;
  const leave = () => {
    setQuestion(undefined);
    logout.mutate({ id: userId, username });
  };
  const handleLogout = async () => {
    if (isLeaving.current || logout.isPending) return;
    isLeaving.current = true;
    try {
      // Leaves the annotator first, because closing it may add edits that have to be counted and sent too.
      await navigate("/datasets", { replace: true });
      await nextTask();
      const warnings = await findWarnings(ownerOf(session));
      if (warnings.length > 0) setQuestion({ userId, warnings });
      else leave();
    } finally {
      isLeaving.current = false;
    }
  };
  const name = session.user.name || session.user.username;
  return (
    <>
      <Menu position="bottom-end" width={200} withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={classes.button} aria-label={t`Account of ${name}`}>
            <Text size="sm" truncate>
              {name}
            </Text>
            <ChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{session.user.username}</Menu.Label>
          <Menu.Item component={Link} to="/user" leftSection={<Settings size={15} />}>
            {t`User Settings`}
          </Menu.Item>
          {session.user.is_admin && (
            <Menu.Item component={Link} to="/admin/panel" leftSection={<Users size={15} />}>
              {t`Admin Panel`}
            </Menu.Item>
          )}
          {isInstallable && (
            <Menu.Item leftSection={<MonitorDown size={15} />} onClick={() => void installApp()}>
              {t`Install app`}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={15} />} onClick={() => void handleLogout()}>
            {t`Logout`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question?.userId === userId && (
        <Suspense>
          <LogoutQuestion warnings={question.warnings} onConfirm={leave} onClose={() => setQuestion(undefined)} />
        </Suspense>
      )}
    </>
  );
}
