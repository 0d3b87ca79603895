import { plural } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
import { MessageSquare } from "lucide-react";
import { Link } from "react-router-dom";
import { useUnreadComments } from "../../../queries/comments";
import classes from "./Navbar.module.css";

/** Number of unread comments that concern the user, with a link to them. Nothing if there are none. */
export function UnreadComments() {
  const count = useUnreadComments();
  const unread = count.state === "loaded" ? count.data.unread : 0;
  if (unread === 0) return null;
  const label = plural(unread, { one: "# unread comment", other: "# unread comments" });
  return (
    <Tooltip label={label}>
      <Link to="/comments?about=unread" className={classes.comments} aria-label={label}>
        <MessageSquare size={16} aria-hidden />
        <span>{unread > 99 ? "99+" : unread}</span>
      </Link>
    </Tooltip>
  );
}
