import { Modal, type ModalProps } from "@mantine/core";
import { createContext, useContext, useEffect, useState } from "react";
import { same } from "../../../shared/edits/same";

const TellChanged = createContext<(isChanged: boolean) => void>(() => undefined);

/** A dialog with a form in it. Once something was changed, a click beside it no longer closes it. */
export function FormModal(props: ModalProps) {
  const [isChanged, setChanged] = useState(false);
  return (
    <TellChanged value={setChanged}>
      <Modal {...props} closeOnClickOutside={!isChanged} />
    </TellChanged>
  );
}

/** Used by the form in a `FormModal`: `values` (JSON) is what a person has made of it so far. */
export function useFormValues(values: unknown): void {
  const tell = useContext(TellChanged);
  const [first] = useState(values);
  const isChanged = !same(first, values);
  useEffect(() => {
    tell(isChanged);
    return () => tell(false);
  }, [tell, isChanged]);
}
