import { Modal, type ModalProps } from "@mantine/core";
import { createContext, useContext, useEffect, useState } from "react";
import { same } from "../../../shared/edits/same";

const SetChanged = createContext<(isChanged: boolean) => void>(() => undefined);

/** A dialog that contains a form. Once the user has changed a value, a click outside no longer closes it. */
export function FormModal({ closeOnClickOutside = true, ...props }: ModalProps) {
  const [isChanged, setChanged] = useState(false);
  return (
    <SetChanged value={setChanged}>
      <Modal {...props} closeOnClickOutside={closeOnClickOutside && !isChanged} />
    </SetChanged>
  );
}

/** Reports the current values (JSON) of the form inside a `FormModal`. */
export function useFormValues(values: unknown): void {
  const notifyChanged = useContext(SetChanged);
  const [first] = useState(values);
  const isChanged = !same(first, values);
  useEffect(() => {
    notifyChanged(isChanged);
    return () => notifyChanged(false);
  }, [notifyChanged, isChanged]);
}
