import { t } from "@lingui/core/macro";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import { copyAnnotations } from "../../../shared/api/image";
import { RequestError } from "../../io/http/request";
import type { EditorParts } from "../editor/editorParts";

/** Returns the error message for the id of the image to copy from; null if it is valid (specification §5). */
export function problemOfId(text: string, ownId: number): string | null {
  if (text === "") return t`Enter a valid image ID`;
  if (!/^-?\d+(\.\d+)?$/.test(text)) return t`Value must be a number`;
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) return t`Enter a valid image ID`;
  return Number(text) === ownId ? t`Sorry, you can not clone the same image` : null;
}

/** Returns the query that loads the image to copy from. */
export function copySource(text: string, loadScene: EditorParts["loadScene"]) {
  return {
    queryKey: ["copy source", Number(text)],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AnnotatorScene> => {
      try {
        return await loadScene(Number(text), signal);
      } catch (error) {
        throw error instanceof RequestError ? asCopyError(error) : error;
      }
    },
    retry: false,
    gcTime: 0,
  };
}

function asCopyError({ status, message, errors, retryAfter }: RequestError): RequestError {
  const text = status === 404 ? t`No image has this ID, or you have no access to it.` : message;
  return new RequestError(status, copyAnnotations.title, text, errors, retryAfter);
}
