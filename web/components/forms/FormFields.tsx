import { Stack, type StackProps } from "@mantine/core";
import { type FocusEvent, useEffect, useRef } from "react";
import { useFormState } from "../formState";
import classes from "./FormFields.module.css";

interface Props extends StackProps {
  /** True while the form is being sent. */
  isSent: boolean;
}

/**
 * The fields of a form, without its buttons. They cannot be changed while the form is being sent: it closes when the
 * response arrives, and what was typed after it was sent would be lost. After a failure, the last focused field gets
 * the focus back; instead of a combobox the form's button, because the list would open over it.
 */
export function FormFields({ isSent, ...props }: Props) {
  const { setSent } = useFormState();
  useEffect(() => {
    setSent(isSent);
    return () => setSent(false);
  }, [setSent, isSent]);
  const last = useRef<HTMLElement>(null);
  const handleFocus = ({ target }: FocusEvent<HTMLElement>) => {
    last.current = target;
  };
  useEffect(() => {
    if (isSent || document.activeElement !== document.body) return;
    const field = last.current;
    const isList = field?.getAttribute("role") === "combobox";
    const target = isList ? field?.closest("form")?.querySelector<HTMLElement>('button[type="submit"]') : field;
    target?.focus({ preventScroll: true });
  }, [isSent]);
  return (
    <fieldset disabled={isSent} onFocus={handleFocus} className={classes.fields}>
      <Stack {...props} />
    </fieldset>
  );
}
