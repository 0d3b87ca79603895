import { t } from "@lingui/core/macro";
import { NumberInput } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";

interface Props {
  /** Number of images; null if the field is empty. */
  count: number | null;
  most: number;
  onChange: (value: number | string) => void;
}

/**
 * Field for the number of images. It has the focus and is selected as soon as it is shown, so that a digit typed at
 * once replaces the number. It keeps a number above the maximum: an answer that arrives later must not change what
 * the user is typing.
 */
export function CountField({ count, most, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <NumberInput
      ref={field}
      data-autofocus
      onFocus={(event) => event.currentTarget.select()}
      label={t`Images`}
      w={120}
      min={1}
      max={most}
      clampBehavior="none"
      allowDecimal={false}
      value={count ?? ""}
      onChange={onChange}
    />
  );
}
