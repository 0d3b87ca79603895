import { t } from "@lingui/core/macro";
import { ColorInput, type ColorInputProps } from "@mantine/core";
import { useState } from "react";
import { isColor } from "../../../shared/color/hex";
import { KEYPOINT_PALETTE } from "../../../shared/constants";

interface Props extends Omit<ColorInputProps, "value" | "onChange" | "onChangeEnd"> {
  value: string;
  /** Called with every input, even if it is not a valid colour yet (see `isColor`). */
  onChange: (color: string) => void;
}

/** Input for a colour as `#rrggbb`, typed, picked or chosen from the palette. Escape closes only the open picker. */
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
      // Mantine's correction on blur can restore the old colour when the user types and leaves the field quickly.
      fixOnBlur={false}
      error={!isColor(value) && t`Invalid HEX color.`}
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
      // The dialog receives Escape before the field does. This attribute makes it ignore the key.
      data-mantine-stop-propagation={isOpen}
    />
  );
}
