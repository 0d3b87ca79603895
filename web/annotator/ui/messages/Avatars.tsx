import { t } from "@lingui/core/macro";
import { Tooltip, VisuallyHidden } from "@mantine/core";
import { textColorOn } from "../../../../shared/color/contrast";
import { colorOfName } from "../../../../shared/color/palettes";
import { useDocument, useEditor } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Number of users that are shown one by one. */
const SHOWN = 5;

/** The other users on this image, each with the colour that their shapes have when colours mean the author. */
export function Avatars() {
  const { username } = useEditor().parts;
  const annotating = useDocument((state) => state.image.annotating);
  const names = username === null ? [] : annotating.filter((name) => name !== username);
  const rest = names.slice(SHOWN);
  if (names.length === 0) return null;
  return (
    <ul className={classes.avatars} aria-label={t`Other users on this image`}>
      {names.slice(0, SHOWN).map((name) => (
        <Avatar key={name} label={name} text={initialsOf(name)} color={colorOfName(name)} />
      ))}
      {rest.length > 0 && <Avatar label={rest.join(", ")} text={`+${rest.length}`} color="#dee2e6" />}
    </ul>
  );
}

function Avatar({ label, text, color }: { label: string; text: string; color: string }) {
  return (
    <Tooltip label={label} position="bottom">
      <li className={classes.avatar} style={{ background: color, color: textColorOn(color) }}>
        <VisuallyHidden>{label}</VisuallyHidden>
        <span aria-hidden>{text}</span>
      </li>
    </Tooltip>
  );
}

/** Returns the first letters of up to two words of a name. */
export const initialsOf = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join("");
