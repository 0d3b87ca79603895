import { t } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
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
  if (!known) return <span className={classes.position} />;
  // An image that no longer passes the filter may be behind the last one.
  const number = Math.min(known.before + 1, Math.max(known.total, 1));
  if (isAsking) return <NumberField number={number} total={known.total} />;
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

function NumberField({ number, total }: { number: number; total: number }) {
  const editor = useEditor();
  const end = () => editor.ui.askForNumber(false);
  return (
    <input
      className={classes.field}
      aria-label={t`Number of the image to open, 1 to ${total}`}
      inputMode="numeric"
      defaultValue={number}
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
