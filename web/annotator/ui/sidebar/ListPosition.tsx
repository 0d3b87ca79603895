import { t } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { isComposing } from "../../../components/isComposing";
import { usePlace } from "../../../queries/imageList";
import { useDocument, useEditor, useIsAskingForNumber } from "../../editor/context";
import { ariaKeys, withKeys } from "../../keyboard/shortcuts";
import { useKeysOf } from "../common/useKeysOf";
import classes from "./ListPosition.module.css";

/** Place of the image in its list, such as "5 / 128". A press asks for the number of another image to open. */
export function ListPosition() {
  const { ui } = useEditor();
  const { id, dataset_id } = useDocument((state) => state.image);
  const [list] = useSearchParams();
  const isAsking = useIsAskingForNumber();
  const keys = useKeysOf()("go to");
  const place = usePlace(dataset_id, id, Object.fromEntries(list));
  const known = place.state === "loaded" ? place.data : place.state === "loading" ? place.previous?.data : undefined;
  // An image that no longer passes the filter may be behind the last one.
  const numberIn = ({ before, total }: { before: number; total: number }) => Math.min(before + 1, Math.max(total, 1));
  // At once, even before the place is known: a field that came later would take keys that are meant for the image.
  if (isAsking) return <NumberField number={known && numberIn(known)} total={known?.total} />;
  if (!known) return <span className={classes.position} />;
  const number = numberIn(known);
  return (
    <Tooltip label={withKeys(t`Go to Image Number`, keys)} openDelay={300}>
      <button
        type="button"
        className={classes.position}
        aria-label={t`Image ${number} of ${{ total: known.total }}, go to another number`}
        aria-keyshortcuts={ariaKeys(keys)}
        onClick={() => ui.askForNumber(true)}
      >
        {number} <span className={classes.total}>/ {known.total}</span>
      </button>
    </Tooltip>
  );
}

/** Field for the number of an image. `number`, of the open image, and `total` are undefined while they are unknown. */
function NumberField({ number, total }: { number: number | undefined; total: number | undefined }) {
  const editor = useEditor();
  // A number that became known later would be in the way of the typed one.
  const [first] = useState(number);
  const end = () => editor.ui.askForNumber(false);
  return (
    <input
      className={classes.field}
      aria-label={total === undefined ? t`Number of the image to open` : t`Number of the image to open, 1 to ${total}`}
      inputMode="numeric"
      defaultValue={first}
      // biome-ignore lint/a11y/noAutofocus: the user asked for the field
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={end}
      onKeyDown={({ key, currentTarget, nativeEvent }) => {
        if (isComposing(nativeEvent) || (key !== "Enter" && key !== "Escape")) return;
        const wanted = Number(currentTarget.value);
        end();
        editor.focus();
        if (key === "Enter" && Number.isInteger(wanted) && wanted > 0) void editor.progress.goToNumber(wanted);
      }}
    />
  );
}
