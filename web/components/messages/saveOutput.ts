import { t } from "@lingui/core/macro";
import type { Given } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";
import { downloadOutput } from "../../io/http/download";
import { serverText } from "../../languages/serverText";
import { showError, showSuccess } from "./toast";

/**
 * Saves the output of a declared GET as the file `name`. Shows a toast if the file was created in this browser, because
 * the file then contains only the images that are available offline. Shows errors.
 */
export async function saveOutput<C extends Call>(call: C, given: Given<C>, name: string): Promise<void> {
  try {
    if ((await downloadOutput(call, given, name)) === "local")
      showSuccess(
        serverText(call.title),
        t`${name} was created in this browser from the images available offline, with all your changes.`,
      );
  } catch (error) {
    showError(error);
  }
}
