import { ColorInput, type ColorInputProps } from "@mantine/core";
import { useState } from "react";
import { isColor } from "../../../shared/color/hex";
import { KEYPOINT_PALETTE } from "../../../shared/constants";

interface Props extends Omit<ColorInputProps, "value" | "onChange" | "onChangeEnd"> {
  value: string;
  /** Told every text, also one that is no colour yet: see `isColor`. */
  onChange: (color: string) => void;
}

/** A colour as `#rrggbb`, typed, picked, or taken from the palette. Escape closes an open picker and nothing else. */
export function ColorField({ value, onChange, ...rest }: Props) {
  const [isOpen, setOpen] = useState(false);
  const handleKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <ColorInput
      format="hex"
      // Its own correction may put the old colour back where somebody types and goes on at once.
      fixOnBlur={false}
      error={!isColor(value) && "Invalid HEX color."}
      swatches={[...KEYPOINT_PALETTE]}
      swatchesPerRow={8}
      {...rest}
      value={value}
      onChange={onChange}
      onFocus={() => setOpen(true)}
      onClick={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={handleKeyDown}
      popoverProps={{ opened: isOpen, transitionProps: { duration: 0 } }}
      // A dialog hears Escape before the field does, and leaves it alone where this says so.
      data-mantine-stop-propagation={isOpen}
    />
  );
}
