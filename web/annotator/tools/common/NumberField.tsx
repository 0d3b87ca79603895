import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";

interface Props extends Omit<NumberInputProps, "value" | "onChange"> {
  value: number;
  onChange: (value: number) => void;
}

/** A number of a tool's options, 0 or more. What is typed and is none shows until the field is left, then what is in force. */
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
