import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";

interface Props extends Omit<NumberInputProps, "value" | "onChange"> {
  value: number;
  onChange: (value: number) => void;
}

/**
 * Field for a numeric tool option, 0 or more. Invalid text stays until the field loses focus; then the current value is
 * shown again.
 */
export function NumberField({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const handleChange = (next: number | string) => {
    setTyped(typeof next === "number" ? null : next);
    if (typeof next === "number") onChange(next);
  };
  return (
    <NumberInput
      size="xs"
      min={0}
      clampBehavior="strict"
      allowNegative={false}
      {...rest}
      value={typed ?? value}
      onChange={handleChange}
      onBlur={() => setTyped(null)}
    />
  );
}
