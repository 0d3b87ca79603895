import { plural, t } from "@lingui/core/macro";
import { Loader } from "@mantine/core";
import { Sparkles } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { isRepeatedClick } from "../../../components/isRepeatedClick";
import { showFailure, showSuccess, showWarning } from "../../../components/messages/toast";
import { serverText } from "../../../languages/serverText";
import { useDocument, useEditor } from "../../editor/context";
import type { ResponseAnnotations } from "../../import/annotateResponse";
import { annotateUrl, isAnnotateUrl } from "../../import/annotateUrl";
import { BarButton } from "./BarButton";

const title = () => t`Annotator`;

/** Button that sends the image to the dataset's annotate URL. Another press or Escape cancels. */
export function AnnotateButton() {
  const editor = useEditor();
  const address = useDocument((state) => state.dataset.annotate_url);
  const running = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    if (!isRunning) return;
    // Captured before other handlers: while the request runs, Escape cancels only the request.
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || editor.ui.store.getState().dialog) return;
      event.stopImmediatePropagation();
      running.current?.abort();
    };
    window.addEventListener("keydown", cancel, { capture: true });
    return () => window.removeEventListener("keydown", cancel, { capture: true });
  }, [isRunning, editor]);

  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    setRunning(true);
    editor.ui.showMessage(t`Annotating the image`);
    try {
      report(await annotateUrl(editor, abort.signal));
    } catch (error) {
      if (!abort.signal.aborted) fail(error);
    } finally {
      editor.ui.showMessage(abort.signal.aborted ? t`Annotating cancelled` : "");
      setRunning(false);
    }
  };
  const handleClick = (event: MouseEvent) => {
    // The second click of a double click must not cancel the request that the first has started.
    if (isRepeatedClick(event)) return;
    if (isRunning) running.current?.abort();
    else void run();
  };
  const isValid = isAnnotateUrl(address);
  return (
    <BarButton
      label={isRunning ? t`Annotating Image (press to cancel)` : t`Annotate Image`}
      icon={isRunning ? Spinner : Sparkles}
      disabled={!isValid}
      disabledReason={isValid ? undefined : t`Annotate url is invalid`}
      onClick={handleClick}
    />
  );
}

const Spinner = ({ size = 18 }: { size?: number }) => <Loader size={size} />;

function fail(error: unknown): void {
  const reason = error instanceof Error ? serverText(error.message) : "";
  showFailure(title(), [t`Could not read data from URL`, reason].filter(Boolean).join("\n"));
}

function report({ annotations, leftOut }: ResponseAnnotations): void {
  const made = annotations.length;
  const total = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  const reasons = [...leftOut].map(([reason, count]) => `${count} ${reason}`);
  const shown = reasons.slice(0, MAX_REASONS).join(", ");
  const more = reasons.length - MAX_REASONS;
  const lines = [
    made > 0
      ? plural(made, { one: "# annotation added.", other: "# annotations added." })
      : total > 0
        ? t`Nothing was added.`
        : t`Nothing was found in this image.`,
    total > 0 &&
      (more > 0 ? t`${total} left out: ${shown}, and for ${more} other reasons.` : t`${total} left out: ${shown}.`),
  ];
  const message = lines.filter(Boolean).join("\n");
  if (made > 0) showSuccess(title(), message);
  else showWarning(title(), message, `annotator ${message}`);
}

const MAX_REASONS = 3;
