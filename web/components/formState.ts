import { createContext, useContext } from "react";

/** Callbacks by which a form reports its state to the dialog around it. */
interface ReportedState {
  /** True once the user has changed a value. */
  setChanged: (isChanged: boolean) => void;
  /** True while the form is being sent. */
  setSent: (isSent: boolean) => void;
}

const NOBODY: ReportedState = { setChanged: () => undefined, setSent: () => undefined };

export const FormState = createContext(NOBODY);
export const useFormState = (): ReportedState => useContext(FormState);
